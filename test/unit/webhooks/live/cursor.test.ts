import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstIdAt, LAST_ID } from '../../../../lib/runtime/ids.ts'
import { hashOf, least, WatchCursor, watchCursorOf } from '../../../../lib/webhooks/live/cursor.ts'

const change = (changeId: bigint, eventId: string) => ({ changeId: `${changeId}`, source: 'test', eventId })
const named = (changeId: bigint, eventId: string) => [hashOf({ source: 'test', eventId }), changeId] as const

/** A position: milliseconds, then a part of one. */
const at = (milliseconds: number, part = 0) => firstIdAt(milliseconds) + BigInt(part)

function read(cursor: string): WatchCursor {
  const progress = WatchCursor.read(cursor)
  if (progress) return progress
  throw new Error('no cursor')
}

describe('a cursor', () => {
  it('covers all changes up to its position, and later ones of the events that it names', () => {
    const progress = read(watchCursorOf(at(10), [named(at(12), 'b'), named(at(14, 7), 'd')]))
    const told = [change(at(10), 'a'), change(at(11), 'b'), change(at(12), 'b'), change(at(14, 7), 'd')]
    const news = [change(at(10, 1), 'a'), change(at(13), 'b'), change(at(12), 'd2'), change(at(15), 'd')]
    expect(told.map((each) => progress.isDelivered(each))).toEqual([true, true, true, true])
    expect(news.map((each) => progress.isDelivered(each))).toEqual([false, false, false, false])
  })

  it('is the same text when no change was sent since', () => {
    const cursor = watchCursorOf(at(10, 3), [named(at(14, 5), 'd'), named(at(12), 'b')])
    expect(read(cursor).cursor).toBe(cursor)
  })

  it('names 512 events at most, those that were sent last', () => {
    const all = Array.from({ length: 600 }, (_, index) => named(at(index + 1), `event-${index}`))
    const cursor = watchCursorOf(0n, all)
    expect(cursor.length).toBeLessThan(4200)
    expect(read(cursor).isDelivered(change(at(88), 'event-87'))).toBe(false)
    expect(read(cursor).isDelivered(change(at(89), 'event-88'))).toBe(true)
  })

  it('drops names that its position has passed', () => {
    const progress = read(watchCursorOf(at(10), [named(at(12), 'b'), named(at(14), 'd')]))
    progress.note(change(at(20), 'z'), at(30))
    expect(progress.settled).toBe(at(20) - 1n)
    expect(progress.cursor).toBe(watchCursorOf(at(20) - 1n, [named(at(20), 'z')]))
  })

  it('repeats a change rather than losing it when its event was sent too long after the position', () => {
    const progress = read(watchCursorOf(at(0), [named(at(2 ** 16 + 5), 'a')]))
    expect(progress.isDelivered(change(at(2 ** 16 - 1), 'a'))).toBe(true)
    expect(progress.isDelivered(change(at(2 ** 16 + 5), 'a'))).toBe(false)
  })

  it.each([
    ['too short', Buffer.alloc(7).toString('base64url')],
    ['in the middle of a name', Buffer.alloc(10).toString('base64url')],
    ['too long', Buffer.alloc(8 + 513 * 6).toString('base64url')],
    ['with padding', `${Buffer.alloc(8).toString('base64')}`],
    ['with an impossible position', Buffer.alloc(8, 0xff).toString('base64url')],
  ])('G07 that is %s is invalid', (_, text) => {
    expect(WatchCursor.read(text)).toBeUndefined()
  })

  it('may be at the last possible position', () => {
    expect(read(watchCursorOf(LAST_ID, [])).settled).toBe(LAST_ID)
  })

  it('T07 is parsed or refused, for any text', () => {
    const bytes = fc.uint8Array({ maxLength: 64 }).map((each) => Buffer.from(each).toString('base64url'))
    fc.assert(
      fc.property(fc.oneof(fc.string(), bytes), (cursor) => {
        const progress = WatchCursor.read(cursor)
        if (progress) expect(progress.settled).toBeLessThanOrEqual(LAST_ID)
      }),
    )
  })
})

describe('progress', () => {
  it('is settled only up to known changes, and before a change that may not be the only one', () => {
    const progress = read(watchCursorOf(0n, []))
    progress.note(change(at(30), 'a'), at(10))
    expect(progress.settled).toBe(at(10))
    progress.note(change(at(20), 'b'), at(20))
    expect(progress.settled).toBe(at(20) - 1n)
  })

  it('never moves back, and names nothing that is settled', () => {
    const progress = read(watchCursorOf(0n, []))
    progress.note(change(at(20), 'a'), 0n)
    progress.settle(at(20))
    progress.settle(at(10))
    expect(progress.cursor).toBe(watchCursorOf(at(20), []))
  })

  it.each([
    ['without names ahead', [], 10],
    ['with names ahead', [12, 14, 13], 15],
  ])('has its last position: %s', (_, ahead, end) => {
    const { last } = read(
      watchCursorOf(
        at(10),
        ahead.map((milliseconds) => named(at(milliseconds), `e-${milliseconds}`)),
      ),
    )
    expect(last).toBe(ahead.length === 0 ? at(end) : at(end) - 1n)
  })

  it('counts a later change of an event for the earlier one as well', () => {
    const progress = read(watchCursorOf(0n, []))
    expect(progress.note(change(at(20), 'a'), 0n)).toBe(true)
    expect(progress.isDelivered(change(at(19), 'a'))).toBe(true)
    expect(progress.isDelivered(change(at(21), 'a'))).toBe(false)
    expect(progress.note(change(at(20), 'a'), 0n)).toBe(false)
  })

  it('keeps both of two changes with one position', () => {
    const progress = read(watchCursorOf(0n, []))
    expect(progress.note(change(at(20), 'a'), at(100))).toBe(true)
    expect(read(progress.cursor).isDelivered(change(at(20), 'b'))).toBe(false)
    expect(progress.note(change(at(20), 'b'), at(100))).toBe(true)
    expect(read(progress.cursor).isDelivered(change(at(20), 'a'))).toBe(true)
  })
})

it('the lesser of two positions is the one up to which everything is known', () => {
  expect([least(1n, 2n), least(2n, 1n)]).toEqual([1n, 1n])
})
