import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { detailOf, findEvent, itemsOf, recordOf } from '../../../lib/webhooks/detail.ts'
import type { EventKey } from '../../../lib/webhooks/event.ts'
import { START } from '../../support/fakes/clock.ts'
import { MemoryStore } from '../../support/fakes/memory-store.ts'
import { failedEvent } from '../../support/fakes/webhooks.ts'

const KEY = { source: 'test', eventId: 'event-1' }

describe('the record', () => {
  it('shows absent values as null, the id as a decimal string and times as local date-times', () => {
    const event = failedEvent({ id: 2n ** 62n + 1n, nextRetryAt: undefined, errorMessage: undefined })
    expect(recordOf(event)).toEqual({
      id: '4611686018427387905',
      source: 'test',
      eventId: 'event-1',
      eventType: 'TEST',
      status: 'FAILED',
      receivedAt: '2026-01-02T03:04:05.000',
      processedAt: null,
      attempts: 0,
      nextRetryAt: null,
      dead: false,
      errorMessage: null,
      outcome: null,
      proof: { level: 'none', typeSigned: false, idSigned: false, key: null, signedAt: null },
      possibleDuplicateOf: null,
      typeConflict: false,
      held: false,
      summary: null,
      idConflict: null,
      itemCount: null,
    })
  })

  it('shows every present value', () => {
    const event = failedEvent({ status: 'PROCESSED', processedAt: START, outcome: 'superseded' })
    expect(recordOf(event)).toMatchObject({
      processedAt: '2026-01-02T03:04:05.000',
      nextRetryAt: '2026-01-02T03:09:05.000',
      outcome: 'superseded',
      errorMessage: 'unexpected error',
    })
  })
})

describe('the record of an event that is proven, or a possible duplicate', () => {
  it('names the secret of the signature, and the signed time in UTC', () => {
    const proof = { level: 'full', typeSigned: true, idSigned: true, key: 'stripe#1', signedAt: START } as const
    expect(recordOf(failedEvent({ proof })).proof).toEqual({ ...proof, signedAt: '2026-01-02T03:04:05.000Z' })
  })

  it('shows that it was late', () => {
    const proof = {
      level: 'full',
      typeSigned: true,
      idSigned: true,
      key: 'zoom#1',
      signedAt: START,
      stale: true,
    } as const
    expect(recordOf(failedEvent({ proof })).proof).toMatchObject({
      level: 'full',
      typeSigned: true,
      idSigned: true,
      stale: true,
    })
  })

  it('shows the possible original, and the number of its elements', () => {
    const marks = { possibleDuplicateOf: 'event-0', itemCount: 0 }
    expect(recordOf(failedEvent({ ...marks, idConflict: { count: 2, lastAt: START } }))).toMatchObject({
      ...marks,
      idConflict: { count: 2, lastAt: '2026-01-02T03:04:05.000' },
    })
  })
})

describe('the events in a batch', () => {
  const ITEMS = [{ eventId: 'sg-1', eventType: 'open' }, { eventType: 'click' }]

  it('are numbered within it, and have the ids from their sender', () => {
    expect(detailOf(failedEvent({ itemCount: 2 }), ITEMS).items).toEqual([
      { id: 'event-1#1', eventId: 'sg-1', eventType: 'open' },
      { id: 'event-1#2', eventId: null, eventType: 'click' },
    ])
  })

  it.each([
    ['all of a small one', 2, [2]],
    ['the first thousand of a large one', 1001, [1000]],
    ['none without a batch', undefined, []],
  ])('are read: %s', async (_, itemCount, expected) => {
    const asked: number[] = []
    const reader = {
      find: async () => undefined,
      items: async (_key: EventKey, count: number) => {
        asked.push(count)
        return ITEMS
      },
    }
    const items = await itemsOf(reader, failedEvent({ itemCount }))
    expect(asked).toEqual(expected)
    expect(items).toEqual(expected.length > 0 ? ITEMS : [])
  })
})

describe('the detail', () => {
  it.each([
    ['utf8', Buffer.from('{"a":"é😀"}'), '{"a":"é😀"}'],
    ['utf8', Buffer.from(''), ''],
    ['base64', Buffer.from([0xff, 0x00]), '/wA='],
  ])('shows the payload as received, as %s', (payloadEncoding, payload, text) => {
    const shown = { payload: text, payloadEncoding, payloadTruncated: false }
    expect(detailOf(failedEvent({ payload }))).toMatchObject(shown)
  })

  const LIMIT = 262_144

  it.each([
    ['256 KiB whole', 'x'.repeat(LIMIT), LIMIT],
    ['of 256 KiB and a byte the first 256 KiB', 'x'.repeat(LIMIT + 1), LIMIT],
    ['no part of a character of four bytes', `${'x'.repeat(LIMIT - 3)}😀`, LIMIT - 3],
  ])('shows from a text %s', (_, text, bytes) => {
    const payload = Buffer.from(text)
    const { payload: shown, payloadEncoding, payloadTruncated, payloadBytes } = detailOf(failedEvent({ payload }))
    expect(payloadEncoding).toBe('utf8')
    expect(Buffer.from(shown ?? '').equals(payload.subarray(0, bytes))).toBe(true)
    expect(payloadTruncated).toBe(bytes < payload.length)
    expect(payloadBytes).toBe(payload.length)
  })

  it('shows the first 256 KiB of other bytes', () => {
    const payload = Buffer.alloc(LIMIT + 1, 0x80)
    const { payload: shown, payloadEncoding, payloadTruncated } = detailOf(failedEvent({ payload }))
    expect([payloadEncoding, payloadTruncated]).toEqual(['base64', true])
    expect(Buffer.from(shown ?? '', 'base64').equals(payload.subarray(0, LIMIT))).toBe(true)
  })

  it.each([
    ['control characters', '\u0001'],
    ['backslashes', '\\'],
  ])('fits into an answer of Lambda, full of %s', (_, character) => {
    const payload = Buffer.from(character.repeat(4_194_304))
    const history = Array.from({ length: 100 }, () => failedEvent().history).flat()
    const body = JSON.stringify(detailOf(failedEvent({ payload, history })))
    expect(Buffer.byteLength(JSON.stringify({ statusCode: 200, body }))).toBeLessThan(6_291_556 / 2)
  })

  it('shows the stored headers and every move of the event', () => {
    const history = [
      { at: START, status: 'FAILED', by: 'intake', error: 'broken' },
      { at: START, status: 'RETRY', by: 'retry' },
      { at: START, status: 'FAILED', by: 'operator', user: 'admin' },
      { at: START, status: 'FAILED', by: 'operator', user: 'admin', reason: 'again' },
    ] as const
    const detail = detailOf(failedEvent({ headers: { 'user-agent': 'x' }, history }))
    expect(detail.headers).toEqual({ 'user-agent': 'x' })
    expect(detail.history).toEqual([
      { at: '2026-01-02T03:04:05.000', status: 'FAILED', by: 'intake', error: 'broken' },
      { at: '2026-01-02T03:04:05.000', status: 'RETRY', by: 'retry', error: null },
      { at: '2026-01-02T03:04:05.000', status: 'FAILED', by: 'operator admin', error: null },
      { at: '2026-01-02T03:04:05.000', status: 'FAILED', by: 'operator admin: again', error: null },
    ])
  })
})

describe('findEvent', () => {
  it('finds a stored event, and answers 404 for an unknown one', async () => {
    const store = new MemoryStore()
    const event = failedEvent()
    await store.eventStore.insert(event, {})
    expect(await findEvent(store.eventReader, KEY)).toEqual({ ...event, endsAt: expect.any(Date) })
    const other = findEvent(store.eventReader, { ...KEY, eventId: 'event-2' })
    await expect(other).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND', status: 404 })
  })

  it.each<[string, Partial<EventKey>]>([
    ['an impossible event id', { source: 'test', eventId: 'a'.repeat(274) }],
    ['an impossible source', { source: 'a'.repeat(2049), eventId: 'event-1' }],
    ['the name of a stored body', { source: 'test#body', eventId: 'a'.repeat(64) }],
    ['no source', { eventId: 'event-1' }],
  ])('P09 never calls the store, where it would be an error, for %s', async (_, key) => {
    const asked: EventKey[] = []
    const events = {
      find: async (wanted: EventKey) => {
        asked.push(wanted)
        return undefined
      },
      items: async () => [],
    }
    await expect(findEvent(events, key)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
    expect(asked).toEqual([])
  })
})
