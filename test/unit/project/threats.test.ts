import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** A row of the catalogue: its id, the attack, and the expected answer. */
const ROW = /^\| ([A-Z]\d\d) \| .+ \| .+ \|$/gm

/** The ids at the beginning of the title of a test, of a suite or of a row. */
const TITLE = /(?<=[([,]\s*)['"`]((?:[A-Z]\d\d, )*[A-Z]\d\d) /g

const idsIn = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(TITLE)].flatMap(([, ids = '']) => ids.split(', '))

const ids = [...readFileSync('docs/threats.md', 'utf8').matchAll(ROW)].map(([, id = '']) => id)
const tested = new Set(globSync(['test/**/*.test.{ts,tsx}', 'quality/*/*.test.ts']).flatMap(idsIn))

describe('docs/threats.md', () => {
  it('has at least 120 rows, each under a unique id', () => {
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(120)
  })

  it('numbers the rows of a group without a gap', () => {
    const groups = [...Map.groupBy(ids, ([letter = '']) => letter).entries()]
    const counted = groups.flatMap(([letter, { length }]) =>
      Array.from({ length }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`),
    )
    expect(ids).toEqual(counted)
  })

  it('has only rows that a test names', () => {
    expect(ids.filter((id) => !tested.has(id))).toEqual([])
  })

  it('has every row that a test names', () => {
    expect([...tested].filter((id) => !ids.includes(id))).toEqual([])
  })
})
