import { describe, expect, it } from 'vitest'
import { recordOf } from '../../../../lib/webhooks/detail.ts'
import type { WebhookEvent } from '../../../../lib/webhooks/event.ts'
import { byPosition, finderOf, listEvents, pageOf } from '../../../../lib/webhooks/operators/list.ts'
import { memoryEventList } from '../../../support/fakes/event-list.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'

function eventsOf(...ids: readonly bigint[]): WebhookEvent[] {
  return ids.map((id) => failedEvent({ id, eventId: `event-${id}` }))
}

describe('a list for operators', () => {
  it('shows events, newest first, and the cursor to continue', async () => {
    const events = eventsOf(1n, 3n, 2n)
    const list = memoryEventList(() => events)
    const first = await listEvents(list, { limit: 2 })
    expect(first.events.map(({ id }) => id)).toEqual([3n, 2n])
    expect(Object.keys(first.events[0] ?? {})).not.toContain('payload')
    events.push(...eventsOf(4n))
    const second = await listEvents(list, { limit: 2, cursor: first.nextCursor })
    expect(second).toMatchObject({ events: [{ id: 1n }], nextCursor: undefined })
  })

  it('refuses the cursor of another filter', async () => {
    const list = memoryEventList(() => eventsOf(1n, 2n))
    const { nextCursor } = await listEvents(list, { limit: 1, status: ['FAILED'] })
    await expect(listEvents(list, { limit: 1, cursor: nextCursor })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: {
        validationErrors: [
          { field: 'cursor', message: 'must come from a page with the same filter', rejectedValue: nextCursor },
        ],
      },
    })
  })

  it('is shown as records, with null if there is no next page', () => {
    const events = eventsOf(1n, 2n)
    const records = events.map(recordOf)
    expect(pageOf({ events, nextCursor: undefined })).toEqual({ events: records, nextCursor: null })
    expect(pageOf({ events, nextCursor: 'a' })).toEqual({ events: records, nextCursor: 'a' })
  })
})

describe('a search text', () => {
  const event = { eventId: 'evt_Straße', eventType: 'ΟΔΟΣ.paid', source: 'shop', errorMessage: 'Order 7 is CLOSED' }

  it.each([
    ['the id', 'EVT_', true],
    ['the type', 'οδος', true],
    ['the source', 'HO', true],
    ['the error', 'is closed', true],
    ['a letter with two letters as its capital', 'STRASSE', true],
    ['a text across two fields', 'paidshop', false],
    ['no pattern', 'evt.*', false],
  ])('is found in %s', (_, q, isThere) => {
    expect(finderOf(q)?.(event)).toBe(isThere)
  })
})

it('a search text is not found in a missing error, and none restricts nothing', () => {
  const event = { eventId: 'a', eventType: 'b', source: 'c', errorMessage: undefined }
  expect(finderOf('undefined')?.(event)).toBe(false)
  expect(finderOf(undefined)).toBeUndefined()
})

describe('the order of a list', () => {
  it('is from the highest id to the lowest, equal ones by source and event id', () => {
    const places = [
      { id: 2n, source: 'b', eventId: 'a' },
      { id: 1n, source: 'a', eventId: 'b' },
      { id: 1n, source: 'b', eventId: 'a' },
      { id: 1n, source: 'b', eventId: 'b' },
    ]
    expect(places.toReversed().sort(byPosition)).toEqual(places)
    for (const [index, place] of places.entries()) {
      const compared = places.map((other) => byPosition(place, { ...other }))
      expect(compared).toEqual(places.map((_, other) => Math.sign(index - other)))
    }
  })
})
