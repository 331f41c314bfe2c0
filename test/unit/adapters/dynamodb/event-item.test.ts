import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unmarshallOptions } from '../../../../lib/adapters/dynamodb/client.ts'
import { DUE_SHARDS, type EventItem, fromItem, toItem } from '../../../../lib/adapters/dynamodb/event-item.ts'
import type { WebhookEvent } from '../../../../lib/webhooks/event.ts'
import { START } from '../../../support/fakes/clock.ts'
import { failedEvent, MINUTE } from '../../../support/fakes/webhooks.ts'

/** There and back through the wire form. */
function stored(event: WebhookEvent): WebhookEvent {
  const wire = marshall(toItem(event), { removeUndefinedValues: true })
  return fromItem(unmarshall(wire, unmarshallOptions) as EventItem)
}

describe('an event', () => {
  it.each<[string, Partial<WebhookEvent>]>([
    ['that failed', {}],
    ['that was processed', { status: 'PROCESSED', processedAt: START, nextRetryAt: undefined, outcome: 'superseded' }],
    ['that is retried', { status: 'RETRY', owner: 'me', leaseUntil: START, attempts: 2 }],
    ['with the smallest id', { id: 1n }],
    ['with an id that no number can hold', { id: 9_007_199_254_740_993n }],
    ['with the largest id', { id: 2n ** 63n - 1n }],
    ['with headers', { headers: { 'user-agent': 'é' } }],
    ['without a body', { payload: Buffer.alloc(0) }],
    ['with bytes that are not UTF-8', { payload: Buffer.from([0xff, 0, 0xfe]) }],
    ['with a body of 1,023 bytes', { payload: Buffer.alloc(1023, 'x') }],
    ['with a body of 1,024 bytes', { payload: Buffer.alloc(1024, 'x') }],
    ['with 4 MiB that compress well', { payload: Buffer.alloc(4_194_304, '{"a":1},') }],
  ])('comes back as it was stored: %s', (_, changes) => {
    const event = failedEvent(changes)
    expect(stored(event)).toEqual(event)
  })

  it('comes back with its very bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        const payload = Buffer.from(bytes)
        expect(stored(failedEvent({ payload })).payload.equals(payload)).toBe(true)
      }),
    )
  })
})

describe('an item', () => {
  it('keeps a large body compressed and a small one as it came', () => {
    const large = toItem(failedEvent({ payload: Buffer.alloc(100_000, 'x') }))
    expect(large.payloadCoding).toBe('br')
    expect(large.payload.length).toBeLessThan(1000)
    expect(toItem(failedEvent())).not.toHaveProperty('payloadCoding')
  })

  it('is refused with PAYLOAD_TOO_LARGE when its body does not fit even compressed', () => {
    const event = failedEvent({ payload: randomBytes(400_000) })
    expect(() => toItem(event)).toThrow(expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }))
  })

  it('is in the index of what is due while it waits for a run', () => {
    const { dueShard, sweepAt } = toItem(failedEvent())
    expect(DUE_SHARDS).toContain(dueShard)
    expect(sweepAt).toBe(START.getTime() + 5 * MINUTE)
  })

  it.each<[string, Partial<WebhookEvent>]>([
    ['PROCESSED', { status: 'PROCESSED', nextRetryAt: undefined }],
    ['FAILED for good', { dead: true, nextRetryAt: undefined }],
  ])('is not in that index when it is %s', (_, changes) => {
    const item = toItem(failedEvent(changes))
    expect(item).not.toHaveProperty('dueShard')
    expect(item).not.toHaveProperty('sweepAt')
  })

  it('is spread over all keys of that index', () => {
    const shards = Array.from({ length: 256 }, (_, first) => {
      const payloadSha256 = first.toString(16).padStart(2, '0').padEnd(64, '0')
      return toItem(failedEvent({ payloadSha256 })).dueShard
    })
    expect(new Set(shards)).toEqual(new Set(DUE_SHARDS))
  })
})
