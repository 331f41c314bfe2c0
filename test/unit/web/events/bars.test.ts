import { describe, expect, it } from 'vitest'
import {
  type BarChoice,
  barsOf,
  barText,
  chosenBars,
  countsText,
  HEIGHT,
  lengthText,
  movedChoice,
  spanText,
  WIDTH,
} from '../../../../web/events/bars.ts'
import type { Counts, StatusCounts } from '../../../../web/events/calls.ts'

/** Three pixels of forty. */
const THREE_PIXELS = (3 * HEIGHT) / 40

function counts(...statuses: readonly StatusCounts[]): Counts {
  return {
    from: '2026-01-02T03:00:00.000',
    to: '2026-01-02T03:59:00.000',
    complete: true,
    bucketSeconds: 900,
    totals: { status: {}, source: {} },
    buckets: statuses.map((status, index) => ({ at: `2026-01-02T03:${index * 15 || '00'}:00.000`, status })),
  }
}

describe('the bars of a histogram', () => {
  it('are beside one another over the whole width, including empty ones', () => {
    const bars = barsOf(counts({ PROCESSED: 1 }, {}, { PROCESSED: 2 }), [])
    expect(bars.map(({ x }) => Math.round(x))).toEqual([32, 352, 672])
    expect(bars.every(({ x, width }) => x >= 0 && x + width <= WIDTH)).toBe(true)
    expect(bars.map(({ parts }) => parts.length)).toEqual([1, 0, 1])
  })

  it('last until the moment before the next one', () => {
    const [bar] = barsOf(counts({}), [])
    expect([bar?.start.toISOString(), bar?.end.toISOString()]).toEqual([
      '2026-01-02T03:00:00.000Z',
      '2026-01-02T03:14:59.999Z',
    ])
  })

  it.each([1, 2])('show %i failed among 5,000 events on the baseline, three pixels high', (failed) => {
    const [bar] = barsOf(counts({ PROCESSED: 5000, FAILED: failed }), [])
    const [lowest, other] = bar?.parts ?? []
    expect(lowest).toEqual({ status: 'FAILED', y: HEIGHT - THREE_PIXELS, height: THREE_PIXELS })
    expect(other?.status).toBe('PROCESSED')
    expect(other?.y).toBeCloseTo(0)
  })

  it('grow with their counts', () => {
    const [low, high] = barsOf(counts({ FAILED: 1 }, { FAILED: 4 }), [])
    expect([low?.parts[0]?.height, high?.parts[0]?.height]).toEqual([HEIGHT / 4, HEIGHT])
  })

  it('show only the selected statuses, on their own scale', () => {
    const [bar] = barsOf(counts({ PROCESSED: 5000, FAILED: 2 }), ['FAILED', 'RETRY'])
    expect(bar?.parts).toEqual([{ status: 'FAILED', y: 0, height: HEIGHT }])
  })
})

it('bars are described in words, several in one description', () => {
  const bars = barsOf(counts({ PROCESSED: 1200, FAILED: 1 }, { PROCESSED: 2 }), [])
  expect(countsText(bars[0]?.counts ?? {})).toBe('1,200 processed, 1 failed')
  expect(countsText({})).toBe('none')
  const [first, last] = bars
  const clock = (date?: Date) => date?.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  expect(spanText(bars)).toContain(`${clock(first?.start)} to ${clock(new Date((last?.end.getTime() ?? 0) + 1))}: `)
  expect(spanText(bars)).toMatch(/: 1,202 processed, 1 failed$/)
  expect(first && barText(first)).toContain(`${clock(first?.start)} to `)
})

it.each([
  [1, '1 second'],
  [3600, '1 hour'],
  [604_800, '7 days'],
])('%i seconds are %s', (seconds, text) => {
  expect(lengthText(seconds)).toBe(text)
})

it.each<[string, BarChoice | undefined, string, boolean, BarChoice | undefined]>([
  ['begins at the last bar', undefined, 'ArrowLeft', false, [9, 9]],
  ['begins at the first one', undefined, 'Home', false, [0, 0]],
  ['grows with Shift', [9, 9], 'ArrowLeft', true, [9, 8]],
  ['stays within the bars', [0, 0], 'ArrowLeft', false, [0, 0]],
  ['goes to the end', [2, 2], 'End', true, [2, 9]],
  ['ignores other keys', [2, 2], 'Enter', false, undefined],
])('the selection of bars by keys %s', (_, choice, key, shiftKey, expected) => {
  expect(movedChoice(choice, { key, shiftKey }, 9)).toEqual(expected)
})

it('a selection covers its first to its last bar, in any order', () => {
  expect([chosenBars([7, 3]), chosenBars([3, 7])]).toEqual([
    [3, 7],
    [3, 7],
  ])
})
