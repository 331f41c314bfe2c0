import { spawnSync } from 'node:child_process'
import { execPath } from 'node:process'
import { expect, it } from 'vitest'

it.each([
  [['--kills', 'many'], '--kills must be a whole number from 1 to 10000'],
  [['--kills', '9', '--events', '3'], '--events must be a whole number from 9 to 1000000'],
  [['--speed', '3'], "Unknown option '--speed'"],
])('npm run chaos refuses %j', (args, problem) => {
  const { status, stdout, stderr } = spawnSync(execPath, ['test/chaos/run.ts', ...args], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toBe(`${problem} (npm run chaos -- --help tells more)\n`)
})
