import { execFile } from 'node:child_process'
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process, { execPath } from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../support/stack.ts'

const run = promisify(execFile)
const folder = temporaryFolder()
const copy = join(folder.path, 'proto')
const RELEASED = 'proto/released.binpb'

/** buf, which finds its plugin on the PATH. */
function buf(cwd: string, ...args: readonly string[]) {
  const binaries = join(process.cwd(), 'quality/node_modules/.bin')
  const env = { ...process.env, PATH: `${binaries}:${process.env['PATH']}` }
  return run(execPath, [join(binaries, 'buf'), ...args], { cwd, env })
}

const filesOf = (root: string) =>
  Object.fromEntries(globSync('**/*.ts', { cwd: root }).map((file) => [file, readFileSync(join(root, file), 'utf8')]))

beforeAll(() => cpSync('proto', copy, { recursive: true }))
afterAll(() => folder.remove())

describe('the gRPC contract', () => {
  it('the committed code equals the generated code', async () => {
    await buf(copy, 'generate')
    const generated = filesOf(join(copy, 'gen'))
    expect(Object.keys(generated).length).toBeGreaterThan(5)
    expect(filesOf('proto/gen')).toEqual(generated)
  }, 60_000)

  it('keeps every released field: a removed one is refused', async () => {
    const file = join(copy, 'gatehouse/v1/auth.proto')
    writeFileSync(file, readFileSync(file, 'utf8').replace('  string username = 2;\n', ''))
    const refusal = await buf('.', 'breaking', copy, '--against', RELEASED).catch((error: { stdout: string }) => error)
    expect(refusal.stdout).toContain('Previously present field "2" with name "username"')
  }, 60_000)
})
