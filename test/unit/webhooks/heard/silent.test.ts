import { describe, expect, it } from 'vitest'
import type { HeardDay } from '../../../../lib/webhooks/heard/heard.ts'
import { silentSources } from '../../../../lib/webhooks/heard/silent.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A Monday. */
const START = Date.parse('2026-03-02T00:00:00.000Z')
const at = (day: number, hour = 0) => new Date(START + day * DAY + hour * HOUR)

/** A source that speaks on such days, from an hour to another. */
function speaking(days: readonly number[], from = 9, to = 17, source = 'stripe'): readonly HeardDay[] {
  return days.map((day) => ({ source, firstAt: at(day, from), lastAt: at(day, to) }))
}

const range = (count: number) => Array.from({ length: count }, (_, day) => day)
const WEEKDAYS = range(28).filter((day) => day % 7 < 5)

const isSilent = (days: readonly HeardDay[], now: Date) => silentSources(days, now).length > 0

describe('a source with events', () => {
  it.each<[string, readonly HeardDay[], Date, Date]>([
    ['around the clock is silent after a day', speaking(range(8), 0, 23), at(8, 23), at(8, 23.1)],
    ['once a day is silent after two', speaking(range(10), 2, 2), at(11, 2), at(11, 2.1)],
    ['from Monday to Friday is silent after the time of two weekends', speaking(WEEKDAYS), at(31, 1), at(31, 1.1)],
    ['once a week is silent after two weeks', speaking([0, 7, 14, 21], 2, 2), at(35, 2), at(35, 2.1)],
  ])('%s', (_, days, patient, missed) => {
    expect(isSilent(days, patient)).toBe(false)
    expect(isSilent(days, missed)).toBe(true)
  })

  it('is reported with its name, its last time and its longest pause', () => {
    const days = [...speaking(range(10), 2, 2), ...speaking(range(12), 1, 2, 'github')]
    expect(silentSources(days, at(12))).toEqual([{ source: 'stripe', lastAt: at(9, 2), usualMs: DAY }])
  })

  it('again is not silent any more', () => {
    expect(isSilent(speaking([...range(10), 14], 2, 2), at(14, 3))).toBe(false)
  })

  it('no more is omitted a week after it became silent', () => {
    const days = speaking(range(10), 2, 2)
    expect(isSilent(days, at(18, 2))).toBe(true)
    expect(isSilent(days, at(18, 2.1))).toBe(false)
  })
})

describe('nothing is reported of a source', () => {
  it.each<[string, readonly HeardDay[]]>([
    ['without an event', []],
    ['with one event', speaking([0])],
    ['with events on two days, a week apart', speaking([0, 7])],
    ['with events on a few days only', speaking(range(5))],
  ])('%s', (_, days) => {
    for (const day of range(40)) expect(isSilent(days, at(day))).toBe(false)
  })
})

it('the order of the days does not matter', () => {
  const days = speaking(range(10), 2, 2).toReversed()
  expect(isSilent(days, at(11, 2))).toBe(false)
  expect(isSilent(days, at(11, 3))).toBe(true)
})
