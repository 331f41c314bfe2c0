import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deliveryEnvelope } from '../../../lib/deliver/carrier.ts'
import { A_TRACEPARENT, deliveredEvent } from '../../support/delivered-event.ts'
import { START } from '../../support/fakes/clock.ts'

const LIMIT = 1_048_576
const parcel = (payload: Buffer, changes: object = {}) => ({
  event: deliveredEvent({ payload }),
  attempt: 2,
  traceparent: A_TRACEPARENT,
  at: START,
  ...changes,
})
const read = (payload: Buffer, limit = LIMIT) => JSON.parse(deliveryEnvelope(parcel(payload), limit))

const HEAD = {
  id: '3804000000000000123',
  source: 'stripe',
  eventId: 'evt_1',
  type: 'payment_intent.succeeded',
  receivedAt: '2026-01-02T03:04:05.000Z',
  attempt: 2,
  traceparent: A_TRACEPARENT,
  proof: { level: 'full', key: 'stripe#1', signedAt: '2026-01-02T03:04:05.000Z', typeSigned: true, idSigned: true },
}

describe('the envelope of an event', () => {
  it('contains the fields of the event, and its body as text', () => {
    expect(read(Buffer.from('{"a":"é"}'))).toEqual({ ...HEAD, body: '{"a":"é"}' })
  })

  it('names the replay that ordered it', () => {
    const envelope = JSON.parse(deliveryEnvelope(parcel(Buffer.from('a'), { replayId: 'r-1' }), LIMIT))
    expect(envelope).toEqual({ ...HEAD, replayId: 'r-1', body: 'a' })
  })

  it('S2 says of an event that looks like another one which one it is, and that its type differs; and until when it may come again', () => {
    const marks = { possibleDuplicateOf: 'evt_0', typeConflict: true } as const
    const repeatsUntil = new Date(Date.UTC(2026, 0, 5))
    const event = { ...deliveredEvent({ payload: Buffer.from('a') }), ...marks, repeatsUntil }
    const envelope = JSON.parse(deliveryEnvelope(parcel(Buffer.from('a'), { event }), LIMIT))
    expect(envelope).toEqual({ ...HEAD, ...marks, repeatsUntil: '2026-01-05T00:00:00.000Z', body: 'a' })
  })

  it.each([
    ['ff', '/w=='],
    ['eda080', '7aCA'],
  ])('contains bytes that are not UTF-8 in base64: %s', (hex, bodyBase64) => {
    expect(read(Buffer.from(hex, 'hex'))).toEqual({ ...HEAD, bodyBase64 })
  })

  it.each([
    ['', ''],
    ['efbbbf61', '\ufeffa'],
  ])('keeps every character: %s', (hex, body) => {
    expect(read(Buffer.from(hex, 'hex'))).toEqual({ ...HEAD, body })
  })

  it('restores every byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const { body, bodyBase64 } = read(Buffer.from(bytes))
        expect(bodyBase64 === undefined ? Buffer.from(body) : Buffer.from(bodyBase64, 'base64')).toEqual(
          Buffer.from(bytes),
        )
      }),
    )
  })

  it('contains only characters that SQS accepts', () => {
    const payload = Buffer.from('a\ufffe\uffff\u0001\u{1ffff}')
    const text = deliveryEnvelope(parcel(payload), LIMIT)
    expect(text).not.toMatch(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u)
    expect(JSON.parse(text).body).toBe(payload.toString())
  })
})

describe('an event that exceeds the limit of its service', () => {
  const spare = LIMIT - Buffer.byteLength(deliveryEnvelope(parcel(Buffer.from('')), LIMIT))
  const check = (bytes: number) => ({ ...HEAD, gatehouse: { ref: 'stripe/evt_1', bytes } })

  it('is a claim check from the first byte above the limit', () => {
    const fitting = deliveryEnvelope(parcel(Buffer.alloc(spare, 'a')), LIMIT)
    expect(Buffer.byteLength(fitting)).toBe(LIMIT)
    expect(JSON.parse(fitting).body).toHaveLength(spare)
    expect(read(Buffer.alloc(spare + 1, 'a'))).toEqual(check(spare + 1))
  })

  it.each([
    ['characters that JSON escapes', Buffer.alloc(600_000, '"')],
    ['bytes in base64', Buffer.alloc(800_000, 0xff)],
    ['a body of 4 MiB', Buffer.alloc(4_194_304, 'a')],
  ])('counts in its encoded form: %s', (_, payload) => {
    expect(read(payload)).toEqual(check(payload.length))
  })

  it('counts bytes, not characters', () => {
    expect(read(Buffer.from('é'.repeat(300)), 700)).toMatchObject({ gatehouse: { bytes: 600 } })
  })
})
