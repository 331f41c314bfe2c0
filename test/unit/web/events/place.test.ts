import { describe, expect, it } from 'vitest'
import { countQuery, eventQuery } from '../../../../lib/contract/requests/events.ts'
import { newReplay } from '../../../../lib/contract/requests/replays.ts'
import {
  countPath,
  EVERYTHING,
  type Filter,
  filterSearch,
  isNarrow,
  listPath,
  type PageAddress,
  readPlace,
  replayFilter,
  searchOf,
} from '../../../../web/events/place.ts'

const NOW = new Date('2026-01-02T03:04:05.678Z')

const NARROW: Filter = {
  q: 'a b&c=d',
  status: ['FAILED'],
  source: ['stripe', 'payment'],
  type: ['charge.refunded'],
  range: 'custom',
  from: '2026-01-02T03:04:00.000Z',
  to: '2026-01-02T05:06:00.000Z',
  dead: 'true',
  attention: 'true',
}
const REST = { cursor: undefined, open: undefined, tab: 'overview' } as const

/** A query as the service reads it. */
function queryOf(path: string): object {
  const { searchParams } = new URL(path, 'http://localhost')
  const names = [...new Set(searchParams.keys())]
  return Object.fromEntries(
    names.map((name) => [
      name,
      ['status', 'source', 'type'].includes(name) ? searchParams.getAll(name) : searchParams.get(name),
    ]),
  )
}

describe('the place in an address', () => {
  it.each<[string, PageAddress]>([
    ['everything', { ...REST, filter: EVERYTHING }],
    ['all filters together', { ...REST, filter: NARROW }],
    ['an open event', { ...REST, filter: EVERYTHING, open: { source: 'payment', eventId: 'a/b%2F ?&#é' } }],
    ['a tab', { ...REST, filter: NARROW, open: { source: 'payment', eventId: 'evt_1' }, tab: 'payload' }],
    [
      'an older page, with the start of its range',
      { ...REST, filter: { ...EVERYTHING, from: '2026-01-01T03:04:05.678Z' }, cursor: 'x' },
    ],
  ])('is parsed as it was written: %s', (_, place) => {
    expect(readPlace(searchOf(place))).toEqual(place)
  })

  it('of the usual list is empty', () => {
    expect(filterSearch(EVERYTHING)).toBe('')
  })

  it.each(['?event=', '?event=payment', '?event=payment/', '?event=/a', '?unknown=1', '?tab=x', '?range=2y'])(
    'ignores %s',
    (search) => {
      expect(readPlace(search)).toEqual({ ...REST, filter: EVERYTHING })
    },
  )
})

describe('a filter', () => {
  it.each([EVERYTHING, NARROW, { ...EVERYTHING, range: '15m' } as const])('is accepted by the list: %j', (filter) => {
    const { path } = listPath(filter, { now: NOW, limit: 50, cursor: 'x' })
    expect(path).toMatch(/^\/api\/webhooks\/events\?/)
    expect(eventQuery.safeParse(queryOf(path)).error).toBeUndefined()
  })

  it.each([EVERYTHING, NARROW])('is accepted by the counts, for every status: %j', (filter) => {
    const query = queryOf(countPath(filter, NOW))
    expect(countQuery.safeParse(query).error).toBeUndefined()
    expect(query).not.toHaveProperty('status')
    expect(query).not.toHaveProperty('dead')
  })

  it('of what needs attention retries only what has failed for good', () => {
    expect(replayFilter({ ...EVERYTHING, attention: 'true' }, NOW)).toMatchObject({ dead: 'true' })
  })

  it.each([EVERYTHING, { ...NARROW, source: ['stripe'] }])('is accepted by a replay: %j', (given) => {
    const { dead, ...texts } = replayFilter(given, NOW)
    const order = { replayId: 'a', filter: { ...texts, ...(dead && { dead: dead === 'true' }) } }
    expect(newReplay.safeParse(order).error).toBeUndefined()
  })

  it('of a named range begins relative to now, unless an older page has fixed it', () => {
    const from = (filter: Filter) => listPath(filter, { now: NOW, limit: 50 }).from
    expect(from(EVERYTHING)).toBe('2026-01-01T03:04:05.678Z')
    expect(from({ ...EVERYTHING, range: '1h' })).toBe('2026-01-02T02:04:05.678Z')
    expect(from({ ...EVERYTHING, from: '2026-01-01T00:00:00.000Z' })).toBe('2026-01-01T00:00:00.000Z')
  })

  it('knows whether it contains more than a range of time', () => {
    expect([EVERYTHING, { ...EVERYTHING, range: '7d' } as const].map(isNarrow)).toEqual([false, false])
    const demands: readonly Partial<Filter>[] = [
      { q: 'a' },
      { source: ['a'] },
      { status: ['RETRY'] },
      { dead: 'false' },
    ]
    expect(demands.map((demand) => isNarrow({ ...EVERYTHING, ...demand }))).toEqual([true, true, true, true])
  })
})
