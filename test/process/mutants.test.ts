import { spawnSync } from 'node:child_process'
import { execPath } from 'node:process'
import { expect, it } from 'vitest'

it.each([
  [['--part', 'http'], '--part must be one of access, auth, webhooks, stomp'],
  [['--part', 'auth', '--keep'], '--keep keeps figures of all parts only'],
  [['--all'], "Unknown option '--all'"],
])('npm run mutants refuses %j', (args, problem) => {
  const { status, stdout, stderr } = spawnSync(execPath, ['test/mutants/run.ts', ...args], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toBe(`${problem} (npm run mutants -- --help tells more)\n`)
})
