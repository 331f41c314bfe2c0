import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath, platform } from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { METAFILES } from '../../infra/build.ts'
import { DIST } from '../../infra/builds.ts'
import { copyProject } from '../../test/support/copy-project.ts'

const run = promisify(execFile)
const temporary = mkdtempSync(join(tmpdir(), 'gatehouse-'))
const checkouts = ['one', 'another/deeper'].map((name) => join(temporary, name))

async function buildIn(checkout: string): Promise<void> {
  copyProject(process.cwd(), checkout)
  // The names of chunks depend on the paths of packages, which in a checkout are its own.
  rmSync(join(checkout, 'node_modules'))
  await run('cp', [platform === 'linux' ? '-al' : '-R', 'node_modules', join(checkout, 'node_modules')])
  await run(execPath, ['infra/build.ts'], { cwd: checkout })
}

beforeAll(() => Promise.all(checkouts.map(buildIn)), 240_000)
afterAll(() => rmSync(temporary, { recursive: true }))

/** The hash of each file that may be deployed. */
function builtIn(checkout: string): Readonly<Record<string, string>> {
  const folder = join(checkout, DIST)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(folder, file)).isFile(),
  )
  const hashOf = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')
  return Object.fromEntries(files.filter((file) => !METAFILES.endsWith(file)).map((file) => [file, hashOf(file)]))
}

it('two checkouts in different folders give the same bytes', () => {
  const [one = {}, another] = checkouts.map(builtIn)
  expect(Object.keys(one).length).toBeGreaterThan(300)
  expect(another).toEqual(one)
})

it('no source map contains the path of the build machine', () => {
  const [one = ''] = checkouts
  const maps = Object.keys(builtIn(one)).filter((file) => file.endsWith('.map'))
  expect(maps.length).toBeGreaterThan(100)
  const texts = maps.map((file) => readFileSync(join(one, DIST, file), 'utf8'))
  expect(texts.filter((text) => text.includes(temporary) || text.includes(process.cwd()))).toEqual([])
})
