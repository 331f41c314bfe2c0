import { describe, expect, it } from 'vitest'
import { type HistoryEntry, hintOf, runsOf, withEntry } from '../../../lib/webhooks/event.ts'

const entry = (number: number): HistoryEntry => ({ at: new Date(number), status: 'FAILED', by: 'retry' })

const entries = (count: number) => Array.from({ length: count }, (_, index) => entry(index))

describe('the history of an event', () => {
  it.each([0, 1, 50, 99])('of %i moves gains one', (count) => {
    expect(withEntry(entries(count), entry(count))).toEqual(entries(count + 1))
  })

  it.each([100, 101, 250])('of %i moves keeps the first and the latest: a hundred', (count) => {
    const kept = withEntry(entries(count), entry(count))
    expect(kept).toHaveLength(100)
    expect(kept).toEqual([entry(0), ...entries(count + 1).slice(-99)])
  })
})

it.each([
  ['RECEIVED', 0, 0],
  ['FAILED', 0, 1],
  ['PROCESSED', 0, 1],
  ['RETRY', 2, 3],
] as const)('an event that is %s after %i retries has had %i runs, as its hint says', (status, attempts, runs) => {
  expect(runsOf({ status, attempts })).toBe(runs)
  expect(hintOf({ source: 'test', eventId: 'e', status, attempts })).toEqual({ source: 'test', eventId: 'e', n: runs })
})
