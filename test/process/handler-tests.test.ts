import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { env, execPath } from 'node:process'
import { afterAll, expect, it } from 'vitest'
import { temporaryFolder } from '../support/stack.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

/** The files that a page shows, by the names at their blocks. */
function filesOf(page: string): Readonly<Record<string, string>> {
  const blocks = readFileSync(page, 'utf8').matchAll(/^```ts (handlers\/\S+)\n(.+?)^```/gms)
  return Object.fromEntries([...blocks].map(([, file = '', text = '']) => [file, text]))
}

/** Runs the tests of a project with these files, as `npm test` runs them. */
function tested(name: string, files: Readonly<Record<string, string>>) {
  const root = join(folder.path, name)
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  for (const one of ['lib', 'node_modules', 'package.json']) symlinkSync(resolve(one), join(root, one))
  const report = join(root, 'report.json')
  const options = ['--root', root, '--config', resolve('vitest.config.ts'), '--project', 'handlers']
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...options, '--reporter', 'json', '--outputFile', report]
  // In CI the configuration names another file for the report.
  const { status } = spawnSync(execPath, vitest, { env: { ...env, CI: '' } })
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'))
  return { status, passed: numPassedTests, failed: numFailedTests }
}

it('the test of docs/handlers.md runs as it stands there, and fails with the handler', () => {
  const files = filesOf('docs/handlers.md')
  const [handler = ''] = Object.keys(files)
  expect(Object.keys(files)).toEqual(['handlers/shop/order-paid.ts', 'handlers/shop/order-paid.test.ts'])
  expect(tested('right', files)).toEqual({ status: 0, passed: 2, failed: 0 })
  const wrong = { ...files, [handler]: files[handler]?.replace('if (!ok) throw', 'if (false) throw') ?? '' }
  expect(tested('wrong', wrong)).toEqual({ status: 1, passed: 1, failed: 1 })
})
