import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { describe, expect, it } from 'vitest'
import { DUE_SHARDS, type EventItem, headOf, toItem } from '../../../../lib/adapters/dynamodb/event-item.ts'
import { storedOf, unmarshallOptions } from '../../../../lib/adapters/dynamodb/table.ts'
import type { EventHead, WebhookEvent } from '../../../../lib/webhooks/event.ts'
import { START } from '../../../support/fakes/clock.ts'
import { failedEvent, MINUTE } from '../../../support/fakes/webhooks.ts'

const END = new Date('2026-04-02T03:04:05.000Z')

const itemOf = (event: WebhookEvent) => toItem(event, { payload: event.payload }, END)

/** There and back through the wire form. */
function stored(event: WebhookEvent): EventHead {
  const wire = marshall(itemOf(event), { removeUndefinedValues: true })
  return headOf(unmarshall(wire, unmarshallOptions) as EventItem)
}

const FIRST = { at: START, status: 'PROCESSED', by: 'intake' } as const

const AT_ONCE = { status: 'PROCESSED', processedAt: START, nextRetryAt: undefined, history: [FIRST] } as const

describe('an event', () => {
  it.each<[string, Partial<WebhookEvent>]>([
    ['that failed', {}],
    ['that was processed', { status: 'PROCESSED', processedAt: START, nextRetryAt: undefined, outcome: 'superseded' }],
    ['that is retried', { status: 'RETRY', owner: 'me', leaseUntil: START, attempts: 2 }],
    ['with the largest id', { id: 2n ** 63n - 1n }],
    ['with headers', { headers: { 'user-agent': 'é' } }],
    ['that its intake processed', AT_ONCE],
    ['that its intake processed, with a remark', { ...AT_ONCE, history: [{ ...FIRST, reason: 'an unusable id' }] }],
    ['that was processed later', { ...AT_ONCE, processedAt: new Date(START.getTime() + 1) }],
    ['that a worker processed at once', { ...AT_ONCE, history: [{ ...FIRST, by: 'worker' }] }],
    ['that is unproven', { proof: { level: 'none', typeSigned: false, idSigned: false } }],
    [
      'that is proven by an unnamed secret',
      { proof: { level: 'full', typeSigned: true, idSigned: true, key: 'test#2', signedAt: START } },
    ],
    [
      'that is proven by a named secret',
      { proof: { level: 'body', typeSigned: true, idSigned: true, key: 'test key #2 of May' } },
    ],
    [
      'that was late',
      { proof: { level: 'full', typeSigned: true, idSigned: true, key: 'test#1', signedAt: START, stale: true } },
    ],
    ['whose secret has no label', { proof: { level: 'checksum', typeSigned: true, idSigned: true, signedAt: START } }],
    ['that is a possible duplicate', { possibleDuplicateOf: 'event-0', contentSha256: 'ab'.repeat(32) }],
    ['whose id was used for another content', { idConflict: { count: 3, lastAt: START } }],
    ['that is a batch', { itemCount: 0 }],
    ['that an operator ordered', { orderedAt: START }],
  ])('is read as it was stored: %s', (_, changes) => {
    const { payload: _payload, ...head } = failedEvent(changes)
    expect(stored(failedEvent(changes))).toEqual({ ...head, endsAt: END })
  })

  it('ends no earlier than it should, in whole seconds', () => {
    const event = failedEvent()
    expect(toItem(event, { payload: event.payload }, new Date(END.getTime() - 999)).expireAt).toBe(END.getTime() / 1000)
  })
})

describe('an item', () => {
  it.each<[string, Partial<WebhookEvent>, number]>([
    ['FAILED: from its next retry on', {}, START.getTime() + 5 * MINUTE],
    ['RECEIVED: at once', { status: 'RECEIVED', nextRetryAt: undefined }, START.getTime()],
  ])('is in the index of due events while it waits for a run, %s', (_, changes, due) => {
    const { dueShard, sweepAt } = itemOf(failedEvent(changes))
    expect(DUE_SHARDS).toContain(dueShard)
    expect(sweepAt).toBe(due)
  })

  it.each<[string, Partial<WebhookEvent>]>([
    ['PROCESSED', { status: 'PROCESSED', nextRetryAt: undefined }],
    ['FAILED permanently', { dead: true, nextRetryAt: undefined }],
  ])('is not in that index when it is %s', (_, changes) => {
    const item = itemOf(failedEvent(changes))
    expect(item).not.toHaveProperty('dueShard')
    expect(item).not.toHaveProperty('sweepAt')
  })

  it('is spread over all keys of that index', () => {
    const shards = Array.from({ length: 256 }, (_, first) => {
      const payloadSha256 = first.toString(16).padStart(2, '0').padEnd(64, '0')
      return itemOf(failedEvent({ payloadSha256 })).dueShard
    })
    expect(new Set(shards)).toEqual(new Set(DUE_SHARDS))
  })

  it('Q09 with the largest body, the longest headers and the longest history stays below 400 KB', () => {
    const error = '€'.repeat(256)
    const entry = storedOf({ at: START, status: 'FAILED', by: 'retry', error })
    const event = failedEvent({
      source: 's'.repeat(64),
      eventId: '€'.repeat(256),
      eventType: '€'.repeat(256),
      errorMessage: error,
      headers: { 'user-agent': 'x'.repeat(10_240) },
    })
    const item = {
      ...toItem(event, { payload: new Uint8Array(300_000), coding: 'br' }, END),
      // As many as are kept, and a claim for each attempt that a setting allows.
      history: Array.from({ length: 200 }, (_, index) => (index < 100 ? entry : { ...entry, error: undefined })),
    }
    expect(sizeOf(marshall(item, { removeUndefinedValues: true }))).toBeLessThan(400 * 1024)
  })
})

/** An upper bound of DynamoDB's own count (developer guide, "DynamoDB item sizes and formats"). */
function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value !== 'object' || value === null) return 1
  return Object.entries(value).reduce((sum, [name, part]) => sum + Buffer.byteLength(name) + 3 + sizeOf(part), 0)
}
