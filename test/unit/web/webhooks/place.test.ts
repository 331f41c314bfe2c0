import { describe, expect, it } from 'vitest'
import { eventQuery, REPEATABLE } from '../../../../lib/contract/requests/event-filter.ts'
import { newReplay } from '../../../../lib/contract/requests/new-replay.ts'
import { ROUTES } from '../../../../lib/endpoints/index.ts'
import {
  EVERYTHING,
  type Filter,
  isEverything,
  listPath,
  type PageAddress,
  readPlace,
  replayFilter,
  searchOf,
} from '../../../../web/webhooks/place.ts'

const NARROW: Filter = {
  q: 'a b&c=d',
  status: 'FAILED',
  source: 'stripe',
  type: 'charge.refunded',
  from: '2026-01-02T03:04',
  to: '2026-01-02T05:06',
  dead: 'true',
}

describe('the place in an address', () => {
  it.each<[string, PageAddress]>([
    ['everything', { filter: EVERYTHING, open: undefined }],
    ['all demands at once', { filter: NARROW, open: undefined }],
    ['an open event', { filter: EVERYTHING, open: { source: 'payment', eventId: 'a/b ?&#é' } }],
    ['both', { filter: NARROW, open: { source: 'payment', eventId: 'evt_1' } }],
  ])('is read as it was written: %s', (_, place) => {
    expect(readPlace(searchOf(place))).toEqual(place)
  })

  it('of the plain list is empty', () => {
    expect(searchOf({ filter: EVERYTHING, open: undefined })).toBe('')
  })

  it.each(['?event=', '?event=payment', '?event=payment/', '?event=/a', '?unknown=1'])('ignores %s', (search) => {
    expect(readPlace(search)).toEqual({ filter: EVERYTHING, open: undefined })
  })
})

describe('a filter', () => {
  it.each([EVERYTHING, NARROW])('is taken by the API: %j', (filter) => {
    const { pathname, searchParams } = new URL(listPath(filter, { limit: 50, cursor: 'x' }), 'http://localhost')
    expect(pathname).toBe(ROUTES.webhookEvents.path)
    const given = [...searchParams].map(([name, value]) => [name, REPEATABLE.includes(name) ? [value] : value])
    expect(eventQuery.safeParse(Object.fromEntries(given)).error).toBeUndefined()
  })

  it.each([EVERYTHING, NARROW, { ...NARROW, dead: 'false' }])('is taken by a replay: %j', (given) => {
    const order = { replayId: 'a', filter: replayFilter(given) }
    expect(newReplay.safeParse(order).error).toBeUndefined()
  })

  it('of a replay leaves out the status, and has dead as a boolean', () => {
    expect(replayFilter({ ...EVERYTHING, status: 'FAILED', dead: 'false' })).toEqual({ dead: false })
  })

  it('knows whether it demands anything', () => {
    expect([isEverything(EVERYTHING), isEverything({ ...EVERYTHING, q: 'a' })]).toEqual([true, false])
  })
})
