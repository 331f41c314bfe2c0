import { describe, expect, it } from 'vitest'
import { changed, eventLook, inPlace, newIn, type ShownEvents, summaryOf } from '../../../../web/events/record.ts'
import { record } from './records.ts'

it.each([
  ['nothing', {}, ''],
  ['its error', { errorMessage: 'it is closed' }, 'it is closed'],
  ['a batch', { itemCount: 0 }, 'batch of 0'],
  [
    'an unusual fact about it',
    { possibleDuplicateOf: 'evt_1', idConflict: { count: 2, lastAt: '2026-01-02T03:04:05.000' } },
    '2 × other content under this id · possible duplicate of evt_1',
  ],
])('a line about an event contains %s', (_, changes, expected) => {
  expect(summaryOf(record(changes))).toBe(expected)
})

it.each([
  ['one that failed permanently', { status: 'FAILED' }, 'Failed'],
  ['one that waits for a retry', { status: 'FAILED', nextRetryAt: '2026-01-02T03:19:05.000' }, 'Retrying'],
  ['one that was late', { status: 'PROCESSED', outcome: 'superseded' }, 'Superseded'],
] as const)('the icon of an event is that of %s', (_, changes, label) => {
  expect(eventLook(record(changes)).label).toBe(label)
})

function listOf(ids: readonly number[], changes: Parameters<typeof record>[0] = {}): ShownEvents {
  return { events: ids.map((id) => record({ id: `${id}`, ...changes })), nextCursor: 'c', from: '', before: 0 }
}

describe('a paused list', () => {
  it('shows the present status of its events, without adding, removing or moving any', () => {
    const { events } = inPlace(listOf([8, 7, 6]), listOf([9, 8, 6], { status: 'PROCESSED' }))
    expect(events.map(({ id, status }) => `${id} ${status}`)).toEqual(['8 PROCESSED', '7 FAILED', '6 PROCESSED'])
  })

  it('recognizes the new events: those that it does not contain', () => {
    expect([...newIn(listOf([9, 8, 7]), listOf([8, 6]))]).toEqual(['payment/event-9', 'payment/event-7'])
  })
})

describe('an announced change', () => {
  const change = { source: 'payment', eventId: 'event-8', status: 'RETRY', cursor: 'x' } as const

  it('gives a known event its status, and keeps the rest', () => {
    const list = listOf([8, 7], { attempts: 2 })
    expect(changed(list, change).events).toEqual([
      record({ id: '8', attempts: 2, status: 'RETRY' }),
      record({ id: '7', attempts: 2 }),
    ])
  })

  it('of an event with the same id and another source does not affect it', () => {
    expect(changed(listOf([8]), { ...change, source: 'stripe' })).toEqual(listOf([8]))
  })
})
