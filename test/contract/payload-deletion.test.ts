import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { BatchGetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  dynamoDeliveryDesk,
  dynamoDeliveryStore,
  dynamoEventDeliveries,
} from '../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoEventList } from '../../lib/adapters/dynamodb/event-list.ts'
import { dynamoEventReader, dynamoOperatorStore, dynamoPayloads } from '../../lib/adapters/dynamodb/event-reader.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoRetryStore } from '../../lib/adapters/dynamodb/retry-store.ts'
import type { Documents } from '../../lib/adapters/dynamodb/table.ts'
import { unavailable } from '../../lib/errors.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { toLocalDateTime } from '../../lib/runtime/time.ts'
import { detailOf } from '../../lib/webhooks/detail.ts'
import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import type { Announcement } from '../../lib/webhooks/live/announcement.ts'
import type { Beside } from '../../lib/webhooks/place.ts'
import { deletePayload } from '../../lib/webhooks/retention/payloads.ts'
import { TABLES } from '../support/emulated-store.ts'
import { START as now } from '../support/fakes/clock.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { startedStore } from './stores.ts'

const HOUR = 3_600_000
const CANARY = `ada+${randomUUID()}@example.com`

const store = startedStore()
let documents: Documents

beforeAll(() => {
  documents = store.documents
})

/** A settled event with the canary in all that a sender writes. */
function newEvent(changes: Partial<WebhookEvent> = {}): WebhookEvent {
  const payload = changes.payload ?? Buffer.from(JSON.stringify({ email: CANARY, note: 'x'.repeat(100) }))
  return failedEvent({
    id: clockIds({ now: () => now }).ordered(),
    source: 'stripe',
    eventId: `evt-${randomUUID()}`,
    eventType: `paid by ${CANARY}`,
    status: 'PROCESSED',
    receivedAt: now,
    processedAt: now,
    nextRetryAt: undefined,
    errorMessage: undefined,
    dead: false,
    headers: { 'content-type': 'application/json', 'user-agent': CANARY },
    history: [{ at: now, status: 'PROCESSED', by: 'intake' }],
    ...changes,
    payload,
    payloadSha256: createHash('sha256').update(payload).digest('hex'),
  })
}

async function stored(event: WebhookEvent, beside: Beside = {}): Promise<WebhookEvent> {
  expect(await dynamoEventStore(documents, TABLES).insert(event, {}, beside)).toEqual({ kind: 'inserted' })
  return event
}

const reader = () => dynamoEventReader(documents, TABLES.events)
const isKept = async (event: WebhookEvent) => (await reader().find(event))?.payload !== undefined

/** Every row of every table, as it is stored: compressed bytes are looked into by their reader alone. */
async function rowsWith(text: string): Promise<readonly object[]> {
  const found: object[] = []
  for (const table of [TABLES.events, TABLES.deliveries, TABLES.payments, TABLES.orders, TABLES.refusals]) {
    let start: Record<string, unknown> | undefined
    do {
      const page = await store.documents.send(new ScanCommand({ TableName: table, ExclusiveStartKey: start }))
      found.push(...(page.Items ?? []).filter((item) => textOf(item).includes(text)))
      start = page.LastEvaluatedKey
    } while (start)
  }
  return found
}

function textOf(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, one]) => `${name} ${textOf(one)}`)
    .join('\n')
}

it('a copy of a large body leaves no parts behind, and the first event keeps its parts, even within one process', async () => {
  const payload = randomBytes(400_000)
  const event = newEvent({ payload })
  const first = dynamoEventStore(documents, TABLES)
  expect(await first.insert(event, {})).toEqual({ kind: 'inserted' })
  expect(await first.insert({ ...event, eventId: `${event.eventId}-2`, id: event.id + 1n }, {})).toEqual({
    kind: 'inserted',
  })
  const copy = { ...event, id: event.id + 2n }
  for (const [events, parts] of [
    [first, 0],
    [dynamoEventStore(documents, TABLES), 2],
  ] as const) {
    expect(await events.insert(copy, {})).toMatchObject({ kind: 'present' })
    expect((await rowsWith(`#part/${copy.id}/`)).length).toBe(parts)
    await events.forget(copy)
    expect(await rowsWith(`#part/${copy.id}/`)).toEqual([])
  }
  for (const id of [event.id, event.id + 1n]) expect((await rowsWith(`#part/${id}/`)).length).toBe(2)
  expect((await reader().find(event))?.payload?.equals(payload)).toBe(true)
})

const ANSWER = { status: 200, headers: {}, body: { text: 'the answer', encoding: 'utf8', isWhole: true } } as const

describe('a payload that an operator has deleted', () => {
  const announced: Announcement[] = []
  const parts = (used: Documents) => ({
    events: reader(),
    payloads: dynamoPayloads(used, TABLES.events, async () => {}),
    deliveries: dynamoEventDeliveries(documents, TABLES.deliveries),
    announcer: { announce: (announcement: Announcement) => void announced.push(announcement) },
    clock: { now: () => now },
    audit: { decided: () => {} },
  })
  const remove = (event: WebhookEvent, isForced = false, used = documents) =>
    deletePayload(parts(used) as never, event, { user: 'admin', isForced })

  it('is gone at once, with the user in the history; a repetition changes nothing', async () => {
    const event = await stored(newEvent({ payload: randomBytes(400_000) }))
    await remove(event)
    const first = await reader().find(event)
    await remove(event, true)
    expect(await reader().find(event)).toEqual(first)
    expect(first).toMatchObject({ status: 'PROCESSED', payload: undefined, headers: {}, payloadDeletedAt: now })
    expect(first?.history.at(-1)).toMatchObject({ by: 'operator', user: 'admin', reason: 'the payload was deleted' })
    expect(await rowsWith(`#part/${event.id}/`)).toEqual([])
  })

  it('is in no table any more, in no text and in no part, and a copy is still a duplicate', async () => {
    const text = `x-${randomUUID()}-${CANARY}`
    const body = Buffer.from(JSON.stringify({ text }))
    const small = await stored(newEvent({ payload: body, eventType: text, headers: { 'user-agent': text } }))
    const large = await stored(newEvent({ payload: Buffer.concat([Buffer.from(text), randomBytes(800_000)]) }))
    const batch = await stored(newEvent({ itemCount: 2, payload: body }), {
      content: { sha256: createHash('sha256').update(body).digest('hex') },
      items: [
        { eventId: text, eventType: text },
        { eventId: 'b', eventType: 'b' },
      ],
    })
    expect((await rowsWith(text)).length).toBe(4)
    for (const event of [small, large, batch]) await remove(event)
    expect(await rowsWith(text)).toEqual([])
    const parts = [0, 1, 2].map((n) => ({ source: `stripe#part/${large.id}/${n}`, eventId: String(n) }))
    const left = await store.documents.send(new BatchGetCommand({ RequestItems: { [TABLES.events]: { Keys: parts } } }))
    expect(left.Responses?.[TABLES.events]).toEqual([])
    for (const event of [small, large]) {
      expect(await dynamoEventStore(documents, TABLES).insert({ ...event, id: 5n }, {})).toMatchObject({
        kind: 'present',
        event: { payloadSha256: event.payloadSha256 },
      })
    }
    const again = { content: { sha256: batch.payloadSha256 } }
    expect(await dynamoEventStore(documents, TABLES).insert(newEvent({ payload: body }), {}, again)).toMatchObject({
      kind: 'repeated',
      last: { eventId: batch.eventId },
    })
  })

  it('leaves all other fields of its event, with the time of the deletion', async () => {
    const event = await stored(newEvent({ eventType: 'payment_intent.succeeded', outcome: 'superseded' }))
    await remove(event)
    const { events } = await dynamoEventList(documents, TABLES.events).find({ q: event.eventId }, undefined, 5)
    expect(events).toMatchObject([{ eventId: event.eventId, eventType: event.eventType, status: 'PROCESSED' }])
    const found = await reader().find(event)
    expect(found && detailOf(found)).toMatchObject({
      eventId: event.eventId,
      eventType: 'payment_intent.succeeded',
      outcome: 'superseded',
      payload: null,
      payloadEncoding: 'utf8',
      payloadTruncated: false,
      payloadDeletedAt: toLocalDateTime(now),
      headers: {},
      history: [
        { status: 'PROCESSED', by: 'intake' },
        { status: 'PROCESSED', by: 'operator admin: the payload was deleted' },
      ],
    })
  })

  it('is gone after a repetition, if the first deletion died between the event and its parts', async () => {
    const event = await stored(newEvent({ payload: randomBytes(400_000) }))
    const dying: Documents = {
      send: ((command: object) => {
        if (command.constructor.name === 'BatchWriteCommand') throw unavailable(new Error('died'))
        return documents.send(command as never)
      }) as Documents['send'],
    }
    await expect(remove(event, false, dying)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect((await rowsWith(`#part/${event.id}/`)).length).toBe(2)
    expect(await isKept(event)).toBe(false)
    await remove(event)
    expect(await rowsWith(`#part/${event.id}/`)).toEqual([])
  })

  it.each<[string, () => Partial<WebhookEvent>]>([
    ['its first run', () => ({ status: 'RECEIVED' })],
    ['a retry', () => ({ status: 'FAILED', nextRetryAt: now, errorMessage: 'no' })],
  ])('is refused while the event waits for %s; with force the event is dead', async (_, changes) => {
    const event = await stored(newEvent(changes()))
    await expect(remove(event)).rejects.toMatchObject({ code: 'EVENT_UNDER_WAY' })
    expect(await isKept(event)).toBe(true)
    await remove(event, true)
    const found = await reader().find(event)
    expect(found).toMatchObject({ status: 'FAILED', dead: true, errorMessage: 'the payload was deleted' })
    expect([found?.payload, found?.nextRetryAt]).toEqual([undefined, undefined])
    expect(await dynamoOperatorStore(documents, TABLES.events).reset(event, { at: now, user: 'eve' })).toMatchObject({
      kind: 'refused',
    })
  })

  it('with force ends the ordered retry, and notifies the user who ordered it', async () => {
    const event = await stored(newEvent({ status: 'FAILED', nextRetryAt: now, orderedBy: 'id-1' }))
    await remove(event, true)
    const { source, eventId } = event
    const notice = { type: 'retry-finished', source, eventId, status: 'FAILED', at: toLocalDateTime(now) }
    expect(announced).toEqual([{ kind: 'order', orderedBy: 'id-1', notice }])
  })

  it('with force ends a run that is under way, whose effects are ignored', async () => {
    const event = await stored(newEvent({ status: 'RECEIVED' }))
    const retries = dynamoRetryStore(documents, TABLES)
    const leaseUntil = new Date(now.getTime() + HOUR)
    const claim = { ...event, owner: 'worker', now: now, leaseUntil, maxAttempts: 3, n: 0 }
    const claimed = await retries.claim(claim)
    await expect(remove(event)).rejects.toMatchObject({ code: 'EVENT_UNDER_WAY' })
    await remove(event, true)
    if (claimed.kind !== 'claimed') throw new Error('not claimed')
    expect(await retries.finish(claim, claimed.event, {}, now)).toEqual({ kind: 'lost' })
    const failure = { at: now, errorMessage: 'no', nextRetryAt: now }
    expect(await retries.fail(claim, claimed.event, failure)).toEqual({ kind: 'lost' })
    expect((await reader().head(event))?.status).toBe('FAILED')
  })

  it('is refused while a delivery is under way; with force it ends, and finished deliveries stay', async () => {
    const deliverTo = ['crm', 'ledger', 'done'].map((destination) => ({ destination, sweepAt: now }))
    const event = await stored(newEvent({ receivedAt: now }), { deliverTo })
    const deliveries = dynamoDeliveryStore(documents, TABLES.deliveries)
    const leaseUntil = new Date(now.getTime() + HOUR)
    const claimOf = (destination: string) => ({ ...event, destination, n: 0, owner: 'me', now: now, leaseUntil })
    for (const name of ['ledger', 'done']) {
      const claimed = await deliveries.claim(claimOf(name))
      if (claimed.kind !== 'claimed') throw new Error('not claimed')
      if (name === 'done')
        await deliveries.deliver(claimOf(name), claimed.delivery, { answer: 'HTTP 200', at: now, received: ANSWER })
    }
    await expect(remove(event)).rejects.toMatchObject({ code: 'EVENT_UNDER_WAY' })
    await remove(event, true)
    const rows = await dynamoDeliveryDesk(documents, TABLES.deliveries).of(event)
    expect(rows.map(({ destination, status, answer }) => [destination, status, answer])).toEqual([
      ['crm', 'DEAD', 'the payload was deleted'],
      ['done', 'DELIVERED', 'HTTP 200'],
      ['ledger', 'DEAD', 'the payload was deleted'],
    ])
    expect(rows[1]?.history).toMatchObject([{ received: { status: 200 } }])
    expect(JSON.stringify(rows[1]?.history)).not.toContain('the answer')
    const late = await deliveries.fail(claimOf('ledger'), rows[2] as never, { at: now, answer: 'x', dueAt: undefined })
    expect(late).toEqual({ kind: 'lost' })
  })
})
