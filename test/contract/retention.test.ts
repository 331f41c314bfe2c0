import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { BatchGetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GRANTS } from '../../infra/iam/grants.ts'
import { dynamoAgedEvents } from '../../lib/adapters/dynamodb/aged-events.ts'
import type { Documents } from '../../lib/adapters/dynamodb/client.ts'
import { dynamoDeliveryDesk } from '../../lib/adapters/dynamodb/delivery-desk.ts'
import { dynamoDeliveryStore } from '../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoEventDeliveries } from '../../lib/adapters/dynamodb/event-deliveries.ts'
import { dynamoEventList } from '../../lib/adapters/dynamodb/event-list.ts'
import { dynamoEventReader } from '../../lib/adapters/dynamodb/event-reader.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoOperatorStore } from '../../lib/adapters/dynamodb/operator-store.ts'
import { dynamoPayloads } from '../../lib/adapters/dynamodb/payload-store.ts'
import { dynamoRetryStore } from '../../lib/adapters/dynamodb/retry-store.ts'
import type { GatehouseConfig } from '../../lib/config.ts'
import { unavailable } from '../../lib/errors.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { toLocalDateTime } from '../../lib/runtime/local-date-time.ts'
import { detailOf } from '../../lib/webhooks/detail.ts'
import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import type { Announcement } from '../../lib/webhooks/live/announcement.ts'
import type { Beside } from '../../lib/webhooks/place.ts'
import { deletePayload } from '../../lib/webhooks/retention/delete-payload.ts'
import { deleteExpired, type RetentionParts } from '../../lib/webhooks/retention/job.ts'
import { retentionOf } from '../../lib/webhooks/retention/retention.ts'
import { type EmulatedStore, ENGINE, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const CANARY = `ada+${randomUUID()}@example.com`

let store: EmulatedStore
let documents: Documents
let requests: string[] = []
/** Each test has a time of its own: what one has looked at, no later run looks at. */
let now = new Date('2027-06-01T12:00:00Z')

beforeAll(async () => {
  store = await emulatedStore(ENGINE)
  documents = {
    send: ((command: object, ...rest: []) => {
      requests.push(command.constructor.name)
      return store.documents.send(command as never, ...rest)
    }) as Documents['send'],
  }
})
beforeEach(() => {
  now = new Date(now.getTime() + 400 * DAY)
})
afterAll(() => store.stop())

const daysAgo = (days: number) => new Date(now.getTime() - days * DAY)

/** A settled event that came so many days ago, with the canary in all that a sender writes. */
function oldEvent(days: number, changes: Partial<WebhookEvent> = {}): WebhookEvent {
  const receivedAt = daysAgo(days)
  const payload = changes.payload ?? Buffer.from(JSON.stringify({ email: CANARY, note: 'x'.repeat(100) }))
  return failedEvent({
    id: clockIds({ now: () => receivedAt }).ordered(),
    source: 'stripe',
    eventId: `evt-${randomUUID()}`,
    eventType: `paid by ${CANARY}`,
    status: 'PROCESSED',
    receivedAt,
    processedAt: receivedAt,
    nextRetryAt: undefined,
    errorMessage: undefined,
    dead: false,
    headers: { 'content-type': 'application/json', 'user-agent': CANARY },
    history: [{ at: receivedAt, status: 'PROCESSED', by: 'intake' }],
    ...changes,
    payload,
    payloadSha256: createHash('sha256').update(payload).digest('hex'),
  })
}

async function stored(event: WebhookEvent, beside: Beside = {}): Promise<WebhookEvent> {
  expect(await dynamoEventStore(documents, TABLES).insert(event, {}, beside)).toEqual({ kind: 'inserted' })
  return event
}

function job(config: GatehouseConfig = {}, changes: Partial<RetentionParts> = {}) {
  const log = recordingLog()
  const gauges: Record<string, number> = {}
  const parts: RetentionParts = {
    retention: retentionOf(config),
    aged: dynamoAgedEvents(documents, TABLES.events),
    payloads: dynamoPayloads(documents, TABLES.events),
    deliveries: dynamoEventDeliveries(documents, TABLES.deliveries),
    clock: { now: () => now },
    metrics: { count: () => {}, measure: (gauge, value) => Object.assign(gauges, { [gauge]: value }) },
    log,
    wait: async () => {},
    ...changes,
  }
  const run = (deadline = new Date(now.getTime() + DAY)) => deleteExpired(parts, deadline)
  return { run, log, gauges, parts }
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

describe('the job that deletes payloads', () => {
  it('deletes only payloads that are older than the retention of their source', async () => {
    const config = { retentionDays: { stripe: 30, '*': 60 } }
    const cases = [
      [await stored(oldEvent(31)), false],
      [await stored(oldEvent(29)), true],
      [await stored(oldEvent(59, { source: 'github' })), true],
      [await stored(oldEvent(61, { source: 'github' })), false],
      [await stored(oldEvent(61, { source: 'nobody-configured-it' })), false],
    ] as const
    await job(config).run()
    for (const [event, isThere] of cases) expect([event.source, await isKept(event)]).toEqual([event.source, isThere])
  })

  it('leaves no text of the payload in any table, and a late copy is still a duplicate', async () => {
    const text = `x-${randomUUID()}-${CANARY}`
    const body = Buffer.from(JSON.stringify({ text }))
    const small = await stored(oldEvent(100, { payload: body, eventType: text, headers: { 'user-agent': text } }))
    const large = await stored(oldEvent(100, { payload: Buffer.concat([Buffer.from(text), randomBytes(800_000)]) }))
    const batch = await stored(oldEvent(100, { itemCount: 2, payload: body }), {
      content: { sha256: createHash('sha256').update(body).digest('hex') },
      items: [
        { eventId: text, eventType: text },
        { eventId: 'b', eventType: 'b' },
      ],
    })
    expect((await rowsWith(text)).length).toBe(4)
    await job().run()
    expect(await rowsWith(text)).toEqual([])
    const parts = [0, 1, 2].map((n) => ({ source: `stripe#part/${large.id}/${n}`, eventId: String(n) }))
    const left = await store.documents.send(new BatchGetCommand({ RequestItems: { [TABLES.events]: { Keys: parts } } }))
    expect(left.Responses?.[TABLES.events]).toEqual([])
    for (const event of [small, large]) {
      expect(await dynamoEventStore(documents, TABLES).insert({ ...event, id: 5n }, {})).toMatchObject({
        kind: 'present',
        event: { payloadSha256: event.payloadSha256, status: 'PROCESSED', headers: {}, payloadDeletedAt: now },
      })
    }
    const again = { content: { sha256: batch.payloadSha256 } }
    expect(await dynamoEventStore(documents, TABLES).insert(oldEvent(0, { payload: body }), {}, again)).toMatchObject({
      kind: 'repeated',
      last: { eventId: batch.eventId },
    })
  })

  it('records the time of the deletion, and keeps all other fields', async () => {
    const event = await stored(oldEvent(91, { eventType: 'payment_intent.succeeded', outcome: 'superseded' }))
    await job().run()
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
      history: [{ status: 'PROCESSED', by: 'intake' }],
    })
  })

  it.each<[string, () => Partial<WebhookEvent>]>([
    ['waits for its first run', () => ({ status: 'RECEIVED' })],
    ['waits for a retry', () => ({ status: 'FAILED', nextRetryAt: daysAgo(99) })],
    ['is run', () => ({ status: 'PROCESSING', leaseUntil: now, nextRetryAt: daysAgo(99) })],
  ])('keeps the payload of an event that %s, until this has ended', async (_, changes) => {
    const event = await stored(oldEvent(100, changes()))
    const { run, gauges } = job()
    expect(await run()).toMatchObject({ isDone: true })
    expect(await isKept(event)).toBe(true)
    expect(gauges['PayloadOverdueAge']).toBeGreaterThanOrEqual(10 * DAY - 1)
    const deletion = await dynamoPayloads(documents, TABLES.events).deleteOrdered(event, {
      at: now,
      user: 'admin',
      isForced: true,
    })
    expect(deletion.kind).toBe('deleted')
    await run()
    expect((await rowsWith(event.eventId)).map((row) => Object.assign({ source: '' }, row).source)).toEqual(['stripe'])
  })

  it('keeps the payload of an event with a delivery under way, including its parts, and deletes both after its end', async () => {
    const payload = randomBytes(400_000)
    const destination = { destination: 'crm', sweepAt: daysAgo(100) }
    const event = await stored(oldEvent(100, { payload }), { deliverTo: [destination] })
    const { run, log } = job()
    await run()
    await run()
    expect((await reader().find(event))?.payload?.equals(payload)).toBe(true)
    expect(log.entries.filter(({ level, message }) => level === 'warn' && message === 'payloads deleted')).toHaveLength(
      2,
    )
    const [part] = await rowsWith(`#part/${event.id}/0`)
    expect(part).toMatchObject({ expireAt: (now.getTime() + 35 * DAY) / 1000 })
    const deliveries = dynamoDeliveryStore(documents, TABLES.deliveries)
    const claim = { ...event, ...destination, n: 0, owner: 'me', now: now, leaseUntil: new Date(now.getTime() + HOUR) }
    const claimed = await deliveries.claim(claim)
    await run()
    expect(await isKept(event)).toBe(true)
    if (claimed.kind !== 'claimed') throw new Error('not claimed')
    await deliveries.deliver(claim, claimed.delivery, 'HTTP 200', now)
    await run()
    expect(await isKept(event)).toBe(false)
    expect((await rowsWith(event.eventId)).length).toBe(1)
    expect(await rowsWith(`#part/${event.id}/`)).toEqual([])
  })

  it('continues after an interrupted run, and two runs at once do no harm', async () => {
    const source = 'gitlab'
    const events = await Promise.all(Array.from({ length: 60 }, () => stored(oldEvent(95, { source }))))
    let looked = 0
    const { parts } = job()
    const payloads: RetentionParts['payloads'] = {
      ...parts.payloads,
      async deleteSettled(...given) {
        looked += 1
        if (looked > 20) throw unavailable(new Error('the table is down'))
        return parts.payloads.deleteSettled(...given)
      },
    }
    await expect(job({}, { payloads }).run()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    const times = [now, new Date(now.getTime() + HOUR)]
    const clock = { now: () => times.shift() ?? new Date(now.getTime() + 2 * HOUR) }
    expect(await job({}, { clock }).run(new Date(now.getTime() + HOUR))).toMatchObject({ isDone: false })
    const [one, other] = await Promise.all([job().run(), job().run()])
    expect([one.isDone, other.isDone]).toEqual([true, true])
    for (const event of events) expect(await isKept(event)).toBe(false)
    requests = []
    expect(await job().run()).toMatchObject({ deleted: 0, isDone: true })
    expect(requests.length).toBeLessThan(60)
  })

  it('starts again from the beginning after a retention was shortened', async () => {
    const event = await stored(oldEvent(50))
    await job({ retentionDays: { github: 40 } }).run()
    expect(await isKept(event)).toBe(true)
    await job({ retentionDays: { github: 40, stripe: 40 } }).run()
    expect(await isKept(event)).toBe(false)
  })

  it('completes the work of a run that crashed between the row and its parts', async () => {
    const event = await stored(oldEvent(100, { payload: randomBytes(400_000) }))
    const dying: Documents = {
      send: ((command: object) => {
        if (command.constructor.name === 'BatchWriteCommand') throw unavailable(new Error('died'))
        return documents.send(command as never)
      }) as Documents['send'],
    }
    const payloads = dynamoPayloads(dying, TABLES.events, async () => {})
    await expect(job({}, { payloads }).run()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect((await rowsWith(`#part/${event.id}/`)).length).toBe(2)
    expect((await reader().find(event))?.payload).toBeUndefined()
    await job().run()
    expect(await rowsWith(`#part/${event.id}/`)).toEqual([])
  })

  it('continues after a payload that an internal error keeps, and tries it again', async () => {
    const [bad, good] = [await stored(oldEvent(100)), await stored(oldEvent(99))]
    const { parts } = job()
    const payloads: RetentionParts['payloads'] = {
      ...parts.payloads,
      deleteSettled: async (event, at) => {
        if (event.eventId === bad.eventId) throw new Error('a bug')
        return parts.payloads.deleteSettled(event, at)
      },
    }
    const broken = job({}, { payloads })
    expect(await broken.run()).toMatchObject({ isDone: true })
    expect([await isKept(bad), await isKept(good)]).toEqual([true, false])
    expect(JSON.stringify(broken.log.entries)).not.toContain(CANARY)
    await job().run()
    expect(await isKept(bad)).toBe(false)
  })
})

it('a copy of a large body leaves no parts behind, and the first event keeps its parts, even within one process', async () => {
  const payload = randomBytes(400_000)
  const event = oldEvent(0, { payload })
  const events = dynamoEventStore(documents, TABLES)
  expect(await events.insert(event, {})).toEqual({ kind: 'inserted' })
  const copy = { ...event, id: event.id + 1n }
  for (const other of [copy, { ...copy, id: event.id + 2n, payload: Buffer.from(payload) }]) {
    expect(await events.insert(other, {})).toMatchObject({ kind: 'present' })
    expect((await rowsWith(`#part/${other.id}/`)).length).toBe(2)
    await events.forget(other)
    expect(await rowsWith(`#part/${other.id}/`)).toEqual([])
  }
  expect((await reader().find(event))?.payload?.equals(payload)).toBe(true)
})

it('uses only the AWS permissions of its function', async () => {
  const used = new Set<string>()
  const watched: Documents = {
    send: ((command: { readonly input: { TableName?: string; IndexName?: string; RequestItems?: object } }) => {
      const { TableName: name = Object.keys(command.input.RequestItems ?? {})[0], IndexName: index } = command.input
      const table = name === TABLES.events ? 'EventsTable' : 'DeliveriesTable'
      const action = command.constructor.name
        .replace(/^Batch(.+)Command$/, 'Batch$1Item')
        .replace(/^(\w+)Command$/, '$1Item')
      used.add(`${table}${index ? `/index/${index}` : ''} ${action.replace('QueryItem', 'Query')}`)
      return documents.send(command as never)
    }) as Documents['send'],
  }
  const deliverTo = [{ destination: 'crm', sweepAt: now }]
  const [settled, held] = [oldEvent(100, { payload: randomBytes(400_000) }), oldEvent(100, { status: 'RECEIVED' })]
  for (const event of [settled, held]) await stored(event, { deliverTo })
  const deliveries = dynamoEventDeliveries(documents, TABLES.deliveries)
  await deliveries.endAll(settled, now, 'HTTP 200')
  const run = job(
    {},
    {
      aged: dynamoAgedEvents(watched, TABLES.events),
      payloads: dynamoPayloads(watched, TABLES.events),
      deliveries: dynamoEventDeliveries(watched, TABLES.deliveries),
    },
  ).run
  await run()
  await deliveries.endAll(held, now, 'HTTP 200')
  const order = { at: now, user: 'admin', isForced: true }
  await dynamoPayloads(documents, TABLES.events).deleteOrdered(held, order)
  await run()
  const granted = (GRANTS['retention'] ?? []).flatMap((grant) =>
    Object.entries(grant).flatMap(([resource, actions = []]) => actions.map((action) => `${resource} ${action}`)),
  )
  expect([...used].sort()).toEqual(granted.sort())
})

describe('a payload that an operator has deleted', () => {
  const announced: Announcement[] = []
  const parts = () => ({
    events: reader(),
    payloads: dynamoPayloads(documents, TABLES.events),
    deliveries: dynamoEventDeliveries(documents, TABLES.deliveries),
    announcer: { announce: (announcement: Announcement) => void announced.push(announcement) },
    clock: { now: () => now },
    audit: { decided: () => {} },
  })
  const remove = (event: WebhookEvent, isForced = false) =>
    deletePayload(parts() as never, event, { user: 'admin', isForced })

  it('is gone at once, with the user in the history; a repetition changes nothing', async () => {
    const event = await stored(oldEvent(0, { payload: randomBytes(400_000) }))
    await remove(event)
    const first = await reader().find(event)
    await remove(event, true)
    expect(await reader().find(event)).toEqual(first)
    expect(first).toMatchObject({ status: 'PROCESSED', payload: undefined, headers: {}, payloadDeletedAt: now })
    expect(first?.history.at(-1)).toMatchObject({ by: 'operator', user: 'admin', reason: 'the payload was deleted' })
    expect(await rowsWith(`#part/${event.id}/`)).toEqual([])
  })

  it.each<[string, () => Partial<WebhookEvent>]>([
    ['its first run', () => ({ status: 'RECEIVED' })],
    ['a retry', () => ({ status: 'FAILED', nextRetryAt: now, errorMessage: 'no' })],
  ])('is refused while the event waits for %s; with force the event is dead', async (_, changes) => {
    const event = await stored(oldEvent(0, changes()))
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
    const event = await stored(oldEvent(0, { status: 'FAILED', nextRetryAt: now, orderedBy: 'id-1' }))
    await remove(event, true)
    const { source, eventId } = event
    const notice = { type: 'retry-finished', source, eventId, status: 'FAILED', at: toLocalDateTime(now) }
    expect(announced).toEqual([{ kind: 'order', orderedBy: 'id-1', notice }])
  })

  it('with force ends a run that is under way, whose effects are ignored', async () => {
    const event = await stored(oldEvent(0, { status: 'RECEIVED' }))
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
    const event = await stored(oldEvent(0, { receivedAt: now }), { deliverTo })
    const deliveries = dynamoDeliveryStore(documents, TABLES.deliveries)
    const leaseUntil = new Date(now.getTime() + HOUR)
    const claimOf = (destination: string) => ({ ...event, destination, n: 0, owner: 'me', now: now, leaseUntil })
    for (const name of ['ledger', 'done']) {
      const claimed = await deliveries.claim(claimOf(name))
      if (claimed.kind !== 'claimed') throw new Error('not claimed')
      if (name === 'done') await deliveries.deliver(claimOf(name), claimed.delivery, 'HTTP 200', now)
    }
    await expect(remove(event)).rejects.toMatchObject({ code: 'EVENT_UNDER_WAY' })
    await remove(event, true)
    const rows = await dynamoDeliveryDesk(documents, TABLES.deliveries).of(event)
    expect(rows.map(({ destination, status, answer }) => [destination, status, answer])).toEqual([
      ['crm', 'DEAD', 'the payload was deleted'],
      ['done', 'DELIVERED', 'HTTP 200'],
      ['ledger', 'DEAD', 'the payload was deleted'],
    ])
    const late = await deliveries.fail(claimOf('ledger'), rows[2] as never, { at: now, answer: 'x', dueAt: undefined })
    expect(late).toEqual({ kind: 'lost' })
  })

  it('is 404 for an unknown event', async () => {
    await expect(remove(oldEvent(0))).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
  })

  it('leaves the list unchanged', async () => {
    const event = await stored(oldEvent(0))
    await remove(event)
    const filter = { q: event.eventId }
    const { events } = await dynamoEventList(documents, TABLES.events).find(filter, undefined, 5)
    expect(events).toMatchObject([{ eventId: event.eventId, eventType: 'UNKNOWN', status: 'PROCESSED' }])
  })
})
