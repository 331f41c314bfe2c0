import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** A bound on what was measured on a clock of the machine, which runs on while the machine does something else. */
const BOUND = /expect\([^\n]*\b(?:now|hrtime)\([^\n]*\)\s*\.toBeLess/

it('no test asserts a duration', () => {
  const files = globSync(['test/**/*.test.{ts,tsx}', 'quality/*/*.test.ts'])
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => BOUND.test(readFileSync(file, 'utf8')))).toEqual([])
})
