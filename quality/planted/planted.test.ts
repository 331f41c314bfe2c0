import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { execPath } from 'node:process'
import { describe, expect, it } from 'vitest'
import { BUGS } from './bugs.ts'
import { judge } from './judge.ts'

describe('the bugs of `npm run quality -- planted`', () => {
  it.each(BUGS)('$guard: the code to change exists once, and so does the test', ({ file, find, replace, test }) => {
    expect(readFileSync(file, 'utf8').split(find)).toHaveLength(2)
    expect(replace).not.toBe(find)
    expect(existsSync(test), test).toBe(true)
  })

  it('break a different guard each', () => {
    expect(new Set(BUGS.map(({ guard }) => guard)).size).toBe(BUGS.length)
    expect(BUGS.length).toBeGreaterThanOrEqual(50)
  })

  const passed = { status: 'passed', fullName: 'a' }
  const failed = (message: string) => ({ status: 'failed', fullName: 'b', failureMessages: [message] })

  it.each([
    ['caught, when a test fails', [passed, failed('AssertionError: expected 200 to be 401')], 'caught'],
    ['missed, when all pass', [passed, { status: 'skipped', fullName: 'c' }], 'missed'],
    ['broken, when no test ran because the code does not load', [], 'broken'],
    ['broken, when the change itself is invalid', [passed, failed('ReferenceError: now is not defined')], 'broken'],
  ])('are %s', (_, assertionResults, kind) => {
    expect(judge({ name: 'x', assertionResults }).kind).toBe(kind)
  })

  it.each([['--only', 'nothing'], ['signature'], ['--all']])('are not planted with wrong options: %s %s', (...args) => {
    const { status, stderr } = spawnSync(execPath, ['quality/run.ts', 'planted', ...args.filter(Boolean)], {
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('npm run quality -- planted ') })
  })
})
