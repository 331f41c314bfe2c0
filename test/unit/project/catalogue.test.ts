import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '../../support/catalogue.ts'

/** The rows that stand at the beginning of a test's or a suite's title. */
const TITLE = /[([]\s*['"`]((?:[HBLJSOWQGT]\d\d(?:, )?)+) /g

const named = globSync('test/**/*.test.ts').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(TITLE)].flatMap(([, rows = '']) => rows.split(', ')),
)

describe('each row of the attack catalogue has a test that names it', () => {
  it('there are 99', () => {
    expect(new Set(CATALOGUE).size).toBe(99)
  })

  it.each(CATALOGUE)('%s', (row) => {
    expect(named).toContain(row)
  })

  it('no test names a row that is not there', () => {
    expect(named.filter((row) => !CATALOGUE.includes(row))).toEqual([])
  })
})
