import { describe, expect, it } from 'vitest'
import {
  type Change,
  changed,
  newIn,
  refreshed,
  type ShownEvents,
  withOlder,
  withRecord,
} from '../../../../web/webhooks/event-list.ts'
import { EVERYTHING } from '../../../../web/webhooks/place.ts'
import { record } from './records.ts'

/** A list of events with these ids. */
function listOf(ids: readonly number[], nextCursor: string | null = null): ShownEvents {
  return { events: ids.map((id) => record({ id: `${id}` })), nextCursor }
}

const idsOf = ({ events }: ShownEvents) => events.map(({ id }) => Number(id))

describe('a page read behind a list', () => {
  it('follows it, and says where to go on', () => {
    const list = withOlder(listOf([9, 8], 'after 8'), listOf([7], 'after 7'))
    expect([idsOf(list), list.nextCursor]).toEqual([[9, 8, 7], 'after 7'])
  })
})

describe('a list whose newest part is read again', () => {
  it.each<[string, ShownEvents, ShownEvents, ShownEvents]>([
    [
      'has what is new, and keeps what is older',
      listOf([8, 7, 6], 'c'),
      listOf([9, 8], 'p'),
      listOf([9, 8, 7, 6], 'c'),
    ],
    ['loses what the filter lets through no more', listOf([8, 7, 6], 'c'), listOf([9, 7], 'p'), listOf([9, 7, 6], 'c')],
    ['is the page when that is all there is', listOf([8, 7], 'c'), listOf([9]), listOf([9])],
    ['is the page when the two do not meet', listOf([5, 4], 'c'), listOf([9, 8], 'p'), listOf([9, 8], 'p')],
    ['is the page when that covers it', listOf([8, 7], 'c'), listOf([8, 7, 6], 'p'), listOf([8, 7, 6], 'p')],
    ['stays when the page has not got so far', listOf([8, 7], 'c'), listOf([], 'p'), listOf([8, 7], 'c')],
    ['starts with the page when it was empty', listOf([], 'c'), listOf([8], 'p'), listOf([8], 'p')],
  ])('%s', (_, list, page, expected) => {
    expect(refreshed(list, page)).toEqual(expected)
  })

  it('shows events as they stand now', () => {
    const page = { events: [record({ id: '8', status: 'PROCESSED' })], nextCursor: 'p' }
    expect(refreshed(listOf([8, 7], 'c'), page).events.map(({ status }) => status)).toEqual(['PROCESSED', 'FAILED'])
  })

  it('compares ids as the numbers that they are, and equal ones by name', () => {
    const events = [record({ id: '10' }), record({ id: '9', eventId: 'a' }), record({ id: '9', eventId: 'b' })]
    const page = { events: events.slice(0, 2), nextCursor: 'p' }
    expect(refreshed({ events, nextCursor: 'c' }, page).events).toEqual(events)
  })
})

function change({ proof, ...told }: Partial<Change> = {}): Change {
  const { id, source, eventId, eventType, status, receivedAt } = record({ id: '10', status: 'RECEIVED', ...told })
  return { cursor: 'x', id, source, eventId, eventType, status, receivedAt, ...(proof && { proof }) }
}

const FULL = { level: 'full', key: 'stripe#1', signedAt: '2026-01-02T03:04:05.000Z' } as const
const UNKNOWN = { level: 'none', key: null, signedAt: null } as const

describe('a change that is told', () => {
  it('gives a known event its status, and leaves the rest', () => {
    const list = { events: [record({ id: '8', attempts: 2 })], nextCursor: null }
    const { events } = changed(list, change({ id: '8', status: 'RETRY' }), EVERYTHING)
    expect(events).toEqual([record({ id: '8', attempts: 2, status: 'RETRY' })])
  })

  it.each([
    ['newest', '10', [10, 8, 6]],
    ['in between', '7', [8, 7, 6]],
  ])('puts a new event in its place: %s', (_, id, expected) => {
    expect(idsOf(changed(listOf([8, 6], 'c'), change({ id }), EVERYTHING))).toEqual(expected)
  })

  it.each([
    ['its proof', change({ proof: FULL }), FULL],
    ['none, until the next read, if an older version told of it', change(), UNKNOWN],
  ])('puts a new event in its place with %s', (_, told, proof) => {
    expect(changed(listOf([8]), told, EVERYTHING).events[0]).toEqual(
      record({ id: '10', status: 'RECEIVED', attempts: 0, proof }),
    )
  })

  it('waits with an event behind the end of the list, unless the list is complete', () => {
    expect(idsOf(changed(listOf([8], 'c'), change({ id: '5' }), EVERYTHING))).toEqual([8])
    expect(idsOf(changed(listOf([8]), change({ id: '5' }), EVERYTHING))).toEqual([8, 5])
  })

  it.each([
    [{ status: 'RECEIVED' }, true],
    [{ status: 'FAILED' }, false],
    [{ source: 'payment', type: 'PAYMENT' }, true],
    [{ source: 'stripe' }, false],
    [{ type: 'ORDER' }, false],
    // Only a record tells.
    [{ q: 'event' }, false],
    [{ dead: 'false' }, false],
    [{ from: '2026-01-01T00:00' }, false],
  ])('with the filter %j adds a new event: %s', (demands, isAdded) => {
    const list = changed(listOf([8]), change(), { ...EVERYTHING, ...demands })
    expect(list.events).toHaveLength(isAdded ? 2 : 1)
  })
})

describe('a record that is answered', () => {
  it('takes the place of the one before', () => {
    const list = withRecord(listOf([8, 7]), record({ id: '7', attempts: 3 }))
    expect(list.events.map(({ attempts }) => attempts)).toEqual([1, 3])
  })
})

it('new events are those that were not there', () => {
  expect(newIn(listOf([9, 8, 7]), listOf([8, 6]))).toBe(2)
})
