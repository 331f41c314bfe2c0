import { execFile, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cwd, platform } from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { METAFILES } from '../../infra/build.ts'
import { DIST } from '../../infra/builds.ts'
import { copyProject } from '../support/copy-project.ts'
import { temporaryFolder } from '../support/stack.ts'

const run = promisify(execFile)
const folder = temporaryFolder()
const another = join(folder.path, 'another/deeper')

beforeAll(async () => {
  copyProject(cwd(), another)
  // The names of chunks depend on the paths of packages, which in a checkout are its own.
  rmSync(join(another, 'node_modules'))
  await run('cp', [platform === 'linux' ? '-al' : '-R', 'node_modules', join(another, 'node_modules')])
  // Another way to start a process, in which builtins have other properties.
  const [code] = await once(fork('infra/build.ts', { cwd: another }), 'exit')
  expect(code).toBe(0)
})
afterAll(folder.remove)

/** The hash of each file that may be deployed. */
function builtIn(checkout: string): Readonly<Record<string, string>> {
  const dist = join(checkout, DIST)
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    statSync(join(dist, file)).isFile(),
  )
  const hashOf = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(dist, file)))
      .digest('hex')
  return Object.fromEntries(files.filter((file) => !METAFILES.endsWith(file)).map((file) => [file, hashOf(file)]))
}

it('another checkout in a deeper folder, built by a forked process, gives the same bytes', () => {
  const built = builtIn(cwd())
  expect(Object.keys(built).length).toBeGreaterThan(300)
  expect(builtIn(another)).toEqual(built)
})

it('no source map contains the path of the build machine', () => {
  const maps = Object.keys(builtIn(another)).filter((file) => file.endsWith('.map'))
  expect(maps.length).toBeGreaterThan(100)
  const texts = maps.map((file) => readFileSync(join(another, DIST, file), 'utf8'))
  expect(texts.filter((text) => text.includes(folder.path) || text.includes(cwd()))).toEqual([])
})
