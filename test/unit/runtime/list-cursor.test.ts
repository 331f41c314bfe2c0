import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LAST_ID } from '../../../lib/runtime/ids.ts'
import { listCursor, member } from '../../../lib/runtime/list-cursor.ts'
import { eventCursor } from '../../../lib/webhooks/operators/list.ts'
import { anyText } from '../../support/any-text.ts'

const PLACE = { id: 5n, source: 'payment', eventId: 'event-1' }
const TIME = new Date('2026-01-02T03:04:05Z')
const REFUSED = expect.objectContaining({ code: 'VALIDATION_FAILED' })

function textOf(...content: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}

describe('a cursor', () => {
  it('leads back to its position', () => {
    const name = fc.string({ maxLength: 256, unit: 'grapheme' }).filter(({ length }) => length <= 256)
    const place = fc.record({ id: fc.bigInt({ min: 0n, max: LAST_ID }), source: name, eventId: name })
    fc.assert(
      fc.property(place, (at) => {
        expect(eventCursor.read({}, eventCursor.of({}, at))).toEqual(at)
      }),
    )
  })

  it('has no empty name', () => {
    const users = listCursor('users', { key: member.name })
    expect(() => users.read({}, users.of({}, { key: '' }))).toThrow(REFUSED)
  })

  it('has a time to the millisecond, and nothing but the position', () => {
    const times = listCursor('times', { at: member.time })
    const row = { at: new Date(1), password: 'x' }
    expect(times.read({}, times.of({}, row))).toEqual({ at: new Date(1) })
  })

  it('is absent on the first page', () => {
    expect(eventCursor.read({}, undefined)).toBeUndefined()
  })

  it.each<[string, object, object]>([
    ['an additional status', { status: ['FAILED'] }, { status: ['FAILED', 'RETRY'] }],
    ['the name of two sources', { source: ['a,b'] }, { source: ['a', 'b'] }],
    ['type', { type: 'a' }, { q: 'a' }],
    ['a millisecond', { from: TIME }, { from: new Date(TIME.getTime() + 1) }],
    ['values that changed places', { status: 'FAILED', orderId: 'o' }, { orderId: 'FAILED', status: 'o' }],
    ['dead', { dead: false }, {}],
  ])('belongs to its filter: %s', (_, filter, other) => {
    const cursor = eventCursor.of(filter, PLACE)
    expect(eventCursor.read({ ...filter, q2: undefined }, cursor)).toEqual(PLACE)
    expect(() => eventCursor.read(other, cursor)).toThrow(REFUSED)
  })

  it('belongs to its list', () => {
    const { id, source, eventId } = { id: member.id, source: member.name, eventId: member.name }
    const other = listCursor('other', { id, source, eventId })
    expect(() => eventCursor.read({}, other.of({}, PLACE))).toThrow(REFUSED)
  })

  it('ignores the order of names and of their values', () => {
    const cursor = eventCursor.of({ status: ['RETRY', 'FAILED'], source: ['b', 'a'], type: 'c' }, PLACE)
    expect(eventCursor.read({ type: ['c'], source: ['a', 'b'], status: ['FAILED', 'RETRY'] }, cursor)).toEqual(PLACE)
  })

  const [digest = ''] = JSON.parse(Buffer.from(eventCursor.of({}, PLACE), 'base64url').toString()) as string[]
  const place = { id: '5', source: 'a', eventId: 'b' }

  it('is read as it is written', () => {
    expect(eventCursor.read({}, textOf(digest, place))).toEqual({ id: 5n, source: 'a', eventId: 'b' })
  })

  it.each([
    ['an id beyond all possible ones', textOf(digest, { ...place, id: `${LAST_ID + 1n}` })],
    ['an id after a letter', textOf(digest, { ...place, id: 'x1' })],
    ['a source that is too long', textOf(digest, { ...place, source: 'a'.repeat(257) })],
    ['a missing member', textOf(digest, { id: '5', source: 'a' })],
    ['an additional member', textOf(digest, { ...place, status: 'FAILED' })],
    ['an additional part', textOf(digest, place, 1)],
    ['another digest', textOf('', place)],
    ['an object', Buffer.from('{}').toString('base64url')],
    ['no JSON', Buffer.from('[').toString('base64url')],
    ['bytes that are not text', Buffer.from([0xff]).toString('base64url')],
  ])('P02 is refused with %s', (_, cursor) => {
    expect(() => eventCursor.read({}, cursor)).toThrow(REFUSED)
  })

  it.each([-1, 0.5, 8.64e15 + 1, '1', null])('is refused with the time %j', (at) => {
    const times = listCursor('times', { at: member.time })
    const [own] = JSON.parse(Buffer.from(times.of({}, { at: TIME }), 'base64url').toString()) as string[]
    expect(() => times.read({}, textOf(own, { at }))).toThrow(REFUSED)
  })

  it('P02 is refused with a clear error, for any text', () => {
    fc.assert(
      fc.property(anyText(), (cursor) => {
        expect(() => eventCursor.read({}, cursor)).toThrow(REFUSED)
      }),
    )
  })
})
