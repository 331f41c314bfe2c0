import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LAST_ID } from '../../../../lib/runtime/ids.ts'
import { pageCursorOf, readCursor } from '../../../../lib/webhooks/operators/cursor.ts'
import type { EventFilter } from '../../../../lib/webhooks/operators/list.ts'
import { anyText } from '../../../support/any-text.ts'

const PLACE = { id: 5n, source: 'payment', eventId: 'event-1' }
const TIME = new Date('2026-01-02T03:04:05Z')

function textOf(...content: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

describe('a cursor', () => {
  it('leads back to its position', () => {
    fc.assert(
      fc.property(
        fc.record({
          id: fc.bigInt({ min: 0n, max: LAST_ID }),
          source: fc.string({ maxLength: 64 }),
          eventId: fc.string({ maxLength: 256, unit: 'grapheme' }).filter(({ length }) => length <= 256),
        }),
        (place) => {
          expect(readCursor(pageCursorOf(place, {}), {})).toEqual(place)
        },
      ),
    )
  })

  it.each<[string, EventFilter, EventFilter]>([
    ['status', { status: ['FAILED'] }, {}],
    ['another status', { status: ['FAILED'] }, { status: ['RETRY'] }],
    ['an additional status', { status: ['FAILED'] }, { status: ['FAILED', 'RETRY'] }],
    ['source', { source: 'a' }, { type: 'a' }],
    ['an additional source', { source: ['a'] }, { source: ['a', 'b'] }],
    ['the name of two sources', { source: ['a,b'] }, { source: ['a', 'b'] }],
    ['an additional type', { type: ['a'] }, { type: ['a', 'b'] }],
    ['type', { type: 'a' }, { q: 'a' }],
    ['from', { from: TIME }, { to: TIME }],
    ['q', { q: 'a' }, { q: 'b' }],
    ['dead', { dead: false }, {}],
  ])('belongs to its filter: %s', (_, filter, other) => {
    const cursor = pageCursorOf(PLACE, filter)
    expect(readCursor(cursor, { ...filter })).toEqual(PLACE)
    expect(readCursor(cursor, other)).toBeUndefined()
  })

  it('ignores the order of names', () => {
    const cursor = pageCursorOf(PLACE, { status: ['RETRY', 'FAILED'], source: ['b', 'a'], type: 'c' })
    expect(readCursor(cursor, { status: ['FAILED', 'RETRY'], source: ['a', 'b'], type: ['c'] })).toEqual(PLACE)
  })

  const [digest = ''] = JSON.parse(Buffer.from(pageCursorOf(PLACE, {}), 'base64url').toString()) as string[]

  it.each([
    ['an id beyond all possible ones', textOf(digest, `${LAST_ID + 1n}`, 'a', 'b')],
    ['a negative id', textOf(digest, '-1', 'a', 'b')],
    ['an id after a letter', textOf(digest, 'x1', 'a', 'b')],
    ['an id before a blank', textOf(digest, '1 ', 'a', 'b')],
    ['an id that is a number', textOf(digest, 1, 'a', 'b')],
    ['an id of many digits', textOf(digest, '1'.repeat(4000), 'a', 'b')],
    ['a source that is too long', textOf(digest, '1', 'a'.repeat(257), 'b')],
    ['a missing part', textOf(digest, '1', 'a')],
    ['an additional part', textOf(digest, '1', 'a', 'b', 'c')],
    ['an object', Buffer.from('{}').toString('base64url')],
    ['no JSON', Buffer.from('[').toString('base64url')],
    ['bytes that are not text', Buffer.from([0xff]).toString('base64url')],
    ['nothing', ''],
  ])('P02 is refused with %s', (_, cursor) => {
    expect(readCursor(cursor, {})).toBeUndefined()
  })

  it('P02 is refused without an exception, for any text', () => {
    fc.assert(
      fc.property(anyText(), (cursor) => {
        expect(readCursor(cursor, {})).toBeUndefined()
      }),
    )
  })
})
