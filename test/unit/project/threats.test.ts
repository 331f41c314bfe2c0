import { describe, expect, it } from 'vitest'
import { provenThreats, threatIds } from '../../../infra/description/threats.ts'

const ids = threatIds()
const proven = provenThreats()

describe('docs/threats.md', () => {
  it('has at least 120 rows, each under an id of its own', () => {
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(120)
  })

  it('counts the rows of a group without a gap', () => {
    const groups = [...Map.groupBy(ids, ([letter = '']) => letter).entries()]
    const counted = groups.flatMap(([letter, { length }]) =>
      Array.from({ length }, (_, index) => `${letter}${String(index + 1).padStart(2, '0')}`),
    )
    expect(ids).toEqual(counted)
  })

  it('has no row that no test names', () => {
    expect(ids.filter((id) => !proven.has(id))).toEqual([])
  })

  it('has every row that a test names', () => {
    expect([...proven].filter(([id]) => !ids.includes(id))).toEqual([])
  })
})
