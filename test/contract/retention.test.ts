import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { GetCommand, PutCommand, ScanCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  dynamoDeliveryDesk,
  dynamoDeliveryStore,
  dynamoEventDeliveries,
} from '../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoDueDeliveries } from '../../lib/adapters/dynamodb/due-deliveries.ts'
import { dynamoChangeReader, dynamoCountedEvents, dynamoEventList } from '../../lib/adapters/dynamodb/event-list.ts'
import { dynamoEventReader, dynamoOperatorStore, dynamoPayloads } from '../../lib/adapters/dynamodb/event-reader.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoDueEvents, dynamoRetryStore } from '../../lib/adapters/dynamodb/retry-store.ts'
import { type Documents, documentClient } from '../../lib/adapters/dynamodb/table.ts'
import type { GatehouseConfig } from '../../lib/config.ts'
import { deliveryOrders } from '../../lib/deliver/operators/order.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { logAudit } from '../../lib/webhooks/audit.ts'
import { hintOf, type WebhookEvent } from '../../lib/webhooks/event.ts'
import { createInbox } from '../../lib/webhooks/inbox.ts'
import { matchingUntil } from '../../lib/webhooks/operators/replay.ts'
import { retentionOf } from '../../lib/webhooks/retention/retention.ts'
import type { EventSource, VerifiedCall } from '../../lib/webhooks/source.ts'
import { sourceOf } from '../../lib/webhooks/sources/catalog.ts'
import { paymentSource } from '../../lib/webhooks/sources/payment.ts'
import { ENGINE, TABLES } from '../support/emulated-store.ts'
import { fixedClock } from '../support/fakes/clock.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { deliveryOf, failedEvent, PAYMENT, POLICY } from '../support/fakes/webhooks.ts'
import { startedStore } from './stores.ts'

const SECOND = 1000
const DAY = 86_400 * SECOND

/** Later than any engine's own clock says, so that no engine deletes anything; and it only goes on. */
const clock = fixedClock(new Date('2040-01-01T00:00:00.300Z'))
const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds)
const FAR = later(50 * 365 * DAY)

const store = startedStore(ENGINE, clock)
let documents: Documents
/** Hides no row. */
let all: Documents

beforeAll(() => {
  documents = store.documents
  all = documentClient(20_000, { now: () => new Date(0) })
})

const eventsKept = (config: GatehouseConfig = {}) =>
  dynamoEventStore(documents, { ...TABLES, retention: retentionOf(config) })

/** A batch of a source of its own that waits for its first run, with a body in a part, two elements and a delivery. */
function newEvent(changes: Partial<WebhookEvent> = {}): WebhookEvent {
  const payload = randomBytes(4000)
  return failedEvent({
    id: clockIds(clock).ordered(),
    source: `s-${randomUUID().slice(0, 8)}`,
    eventId: `evt-${randomUUID()}`,
    status: 'RECEIVED',
    receivedAt: clock.now(),
    nextRetryAt: undefined,
    errorMessage: undefined,
    itemCount: 2,
    payload,
    payloadSha256: createHash('sha256').update(payload).digest('hex'),
    history: [{ at: clock.now(), status: 'RECEIVED', by: 'intake' }],
    ...changes,
  })
}

const ITEMS = [
  { eventId: 'item-1', eventType: 'T' },
  { eventId: 'item-2', eventType: 'T' },
]

/** The event itself, the part, the elements and the delivery. */
const ROWS = 1 + 1 + ITEMS.length + 1

/** Each event has a destination of its own. */
const destinationOf = ({ source }: WebhookEvent) => `to-${source}`

async function stored(event = newEvent(), config: GatehouseConfig = {}): Promise<WebhookEvent> {
  const deliverTo = [{ destination: destinationOf(event), sweepAt: event.receivedAt }]
  expect(await eventsKept(config).insert(event, {}, { items: ITEMS, deliverTo })).toEqual({ kind: 'inserted' })
  return event
}

/** Moves the clock to so many milliseconds before the end of an event, which is in a whole second. */
function goOnTo(event: WebhookEvent, days: number, before = 0): void {
  const end = Math.ceil((event.receivedAt.getTime() + days * DAY) / SECOND) * SECOND
  clock.advance(end - before - clock.now().getTime())
}

async function countOf(pages: AsyncIterable<readonly { readonly hint: { readonly eventId: string } }[]>, id: string) {
  let count = 0
  for await (const page of pages) count += page.filter(({ hint }) => hint.eventId === id).length
  return count
}

/** Every row of an event as it is stored, with those beside it. */
async function rowsOf(event: WebhookEvent): Promise<readonly Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (const TableName of [TABLES.events, TABLES.deliveries]) {
    let start: Record<string, unknown> | undefined
    do {
      const page = await all.send(new ScanCommand({ TableName, ExclusiveStartKey: start }))
      rows.push(...(page.Items ?? []))
      start = page.LastEvaluatedKey
    } while (start)
  }
  return rows.filter(({ source, event: of }) => String(source ?? of).startsWith(event.source))
}

const endsOf = async (event: WebhookEvent) => [...new Set((await rowsOf(event)).map(({ expireAt }) => expireAt))]

describe('an event is shown until its end, and not from then on, by', () => {
  const reader = () => dynamoEventReader(documents, TABLES.events)
  const list = () => dynamoEventList(documents, TABLES.events)
  const desk = () => dynamoDeliveryDesk(documents, TABLES.deliveries)
  const due = () => dynamoDueDeliveries(documents, TABLES.deliveries)

  it.each<[string, (event: WebhookEvent) => Promise<number>]>([
    ['its detail', async (event) => Number((await reader().find(event)) !== undefined)],
    ['its head', async (event) => Number((await reader().head(event)) !== undefined)],
    ['the list of its elements', async (event) => (await reader().items(event, ITEMS.length)).length],
    ['the list of events', async ({ source }) => (await list().find({ source: [source] }, undefined, 9)).events.length],
    ['a count', ({ source }) => list().count({ source: [source] })],
    ['a count of a search', ({ eventId: q }) => list().count({ q })],
    [
      'the counts over time',
      async ({ source }) => {
        const counted = dynamoCountedEvents(documents, TABLES.events)
        return (await counted.look({ source: [source] }, 10_000)).found.length
      },
    ],
    [
      'the change feed',
      async ({ id, eventId }) => {
        const { changes } = await dynamoChangeReader(documents, TABLES.events).after(id - 1n)
        return changes.filter((change) => change.eventId === eventId).length
      },
    ],
    ['the scan of due events', ({ eventId }) => countOf(dynamoDueEvents(documents, TABLES.events).dueBy(FAR), eventId)],
    [
      'a replay',
      async ({ source }) => {
        const filter = matchingUntil({ filter: { source: [source] }, destination: 'crm' }, FAR)
        return (await list().count(filter)) + (await list().find(filter, undefined, 9)).events.length
      },
    ],
    ['the list of its deliveries', async (event) => (await desk().of(event)).length],
    ['the scan of due deliveries', (event) => countOf(due().dueBy(destinationOf(event), FAR), event.eventId)],
    ['the count of waiting deliveries', async (event) => (await due().waiting(destinationOf(event), FAR)).count],
    ['the deliveries that end soon', async (event) => (await due().waiting(destinationOf(event), FAR)).ending.length],
    [
      'the state of its deliveries',
      async (event) => Number((await dynamoEventDeliveries(documents, TABLES.deliveries).stateOf(event)) !== 'none'),
    ],
  ])('%s', async (_, shown) => {
    const event = await stored()
    expect(await shown(event)).toBeGreaterThan(0)
    goOnTo(event, 90, 1)
    expect(await shown(event)).toBeGreaterThan(0)
    goOnTo(event, 90)
    expect(await shown(event)).toBe(0)
    expect(await rowsOf(event)).toHaveLength(ROWS)
  })
})

describe('nothing can be done with an event from its end on:', () => {
  const claimOf = (event: WebhookEvent) => ({
    ...hintOf(event),
    destination: destinationOf(event),
    owner: 'me',
    now: clock.now(),
    leaseUntil: later(60 * SECOND),
    maxAttempts: 3,
  })
  const deliveries = () => dynamoDeliveryStore(documents, TABLES.deliveries)
  const order = () => ({ at: clock.now(), user: 'ada' })
  const FAILED = { status: 'FAILED', dead: true } as const

  it.each<
    [string, Partial<WebhookEvent>, (event: WebhookEvent) => Promise<object | number>, object | number, object | number]
  >([
    [
      'its first run is not claimed',
      {},
      (event) => dynamoRetryStore(documents, TABLES).claim(claimOf(event)),
      { kind: 'claimed' },
      { kind: 'refused', event: undefined },
    ],
    [
      'a retry cannot be ordered',
      FAILED,
      (event) => dynamoOperatorStore(documents, TABLES.events).reset(event, order()),
      { kind: 'reset' },
      { kind: 'refused', event: undefined },
    ],
    [
      'its delivery is not claimed',
      {},
      (event) => deliveries().claim({ ...claimOf(event), n: 0 }),
      { kind: 'claimed' },
      { kind: 'refused', delivery: undefined },
    ],
    [
      'its delivery cannot be ordered',
      {},
      (event) =>
        dynamoDeliveryDesk(documents, TABLES.deliveries).order(
          { ...event, destination: destinationOf(event) },
          order(),
        ),
      { kind: 'ordered' },
      { kind: 'refused', delivery: undefined },
    ],
    [
      'its delivery is not given up',
      {},
      (event) => deliveries().abandon({ ...claimOf(event), n: 0 }, clock.now(), 'expired'),
      { kind: 'written' },
      { kind: 'lost' },
    ],
    [
      'its deliveries cannot be ended',
      {},
      (event) => dynamoEventDeliveries(documents, TABLES.deliveries).endAll(event, clock.now(), 'the end'),
      1,
      0,
    ],
    [
      'its payload cannot be deleted',
      { status: 'PROCESSED', processedAt: clock.now() },
      (event) => dynamoPayloads(documents, TABLES.events).deleteOrdered(event, { ...order(), isForced: true }),
      { kind: 'deleted' },
      { kind: 'missing' },
    ],
  ])('%s', async (_, changes, act, before, after) => {
    const alive = await stored(newEvent(changes))
    goOnTo(alive, 90, SECOND)
    expect(await act(alive)).toEqual(typeof before === 'number' ? before : expect.objectContaining(before))
    const ended = await stored(newEvent(changes))
    goOnTo(ended, 90)
    const rows = await rowsOf(ended)
    expect(await act(ended)).toEqual(after)
    expect(await rowsOf(ended)).toEqual(rows)
  })
})

describe('all rows of an event have its end', () => {
  it('its parts, its elements, its deliveries and the ones that an operator orders later', async () => {
    const event = await stored()
    goOnTo(event, 90, 3 * DAY)
    const head = await dynamoEventReader(documents, TABLES.events).head(event)
    expect(head?.endsAt?.getTime()).toBe(Math.ceil((event.receivedAt.getTime() + 90 * DAY) / SECOND) * SECOND)
    if (!head) throw new Error('the event is gone')
    const log = recordingLog()
    const desk = dynamoDeliveryDesk(documents, TABLES.deliveries)
    const orders = deliveryOrders({ desk, queue: { send: async () => {} }, audit: logAudit(log), log })
    await orders.first(head, 'another', { at: clock.now(), user: 'ada' })
    const rows = await rowsOf(event)
    expect(rows).toHaveLength(ROWS + 1)
    expect(await endsOf(event)).toEqual([Number(head.endsAt) / SECOND])
  })

  it('its elements that a worker writes', async () => {
    const event = await stored(newEvent({ itemCount: 70 }))
    const retries = dynamoRetryStore(documents, TABLES)
    const times = { now: clock.now(), leaseUntil: later(SECOND) }
    const claimed = await retries.claim({ ...hintOf(event), ...times, owner: 'me', maxAttempts: 3 })
    if (claimed.kind !== 'claimed') throw new Error('not claimed')
    const items = Array.from({ length: 70 }, () => ({ eventType: 'T' }))
    await retries.writeItems(claimed.event, items)
    expect(await rowsOf(event)).toHaveLength(ROWS - ITEMS.length + items.length)
    expect(await endsOf(event)).toHaveLength(1)
  })

  it.each([
    ['if nothing is configured', () => ({}), 90],
    ['of all sources', () => ({ '*': 60, other: 30 }), 60],
    ['of its source', (source: string) => ({ '*': 60, [source]: 30 }), 30],
  ])('after the days %s', async (_, retentionDaysFor, days) => {
    const event = newEvent()
    await stored(event, { retentionDays: retentionDaysFor(event.source) })
    expect(await rowsOf(event)).toHaveLength(ROWS)
    expect(await endsOf(event)).toEqual([Math.ceil((event.receivedAt.getTime() + days * DAY) / SECOND)])
  })

  it('whatever the configuration says later', async () => {
    const event = await stored(newEvent(), { retentionDays: { '*': 40 } })
    const isShown = async () => (await dynamoEventReader(documents, TABLES.events).head(event)) !== undefined
    goOnTo(event, 40, 1)
    const copy = { ...event, id: 5n, receivedAt: clock.now() }
    expect(await eventsKept({ retentionDays: { '*': 7 } }).insert(copy, {})).toMatchObject({ kind: 'present' })
    expect(await isShown()).toBe(true)
    goOnTo(event, 40)
    const next = { ...copy, receivedAt: clock.now() }
    expect(await eventsKept({ retentionDays: { '*': 3650 } }).insert(next, {})).toEqual({ kind: 'inserted' })
    clock.advance(3649 * DAY)
    expect(await isShown()).toBe(true)
  })
})

describe('a call that comes again, when its event has ended', () => {
  const inbox = (config: GatehouseConfig = {}) => {
    const log = recordingLog()
    return createInbox({
      events: eventsKept(config),
      queue: { send: async () => {} },
      policy: POLICY,
      clock,
      ids: clockIds(clock),
      audit: logAudit(log),
      log,
    })
  }

  /** A call with a signature over its body, or over a time as well. */
  function callOf(body: object | string, headers: Readonly<Record<string, string>> = {}, signedAt?: Date) {
    const call = deliveryOf(body)
    const proven = { covers: 'body', key: 'a#1', signedAt, signed: () => [call.body] } as const
    return { ...call, headers: { ...call.headers, ...headers }, proven } satisfies VerifiedCall
  }

  const id = () => randomUUID()
  const payment = () => ({ ...PAYMENT, eventId: id(), transactionId: id() })
  const paymentOf = async (call: VerifiedCall) => {
    const { transactionId } = JSON.parse(call.body.toString())
    return (await all.send(new GetCommand({ TableName: TABLES.payments, Key: { transactionId } }))).Item
  }

  it.each<[string, EventSource, () => VerifiedCall]>([
    ['known by an id in a signed body', paymentSource, () => callOf(payment())],
    [
      'known by its content under an unsigned id',
      sourceOf('github'),
      () => callOf({ n: id() }, { 'x-github-event': 'organization', 'x-github-delivery': id() }),
    ],
    ['a batch', sourceOf('meta'), () => callOf({ object: 'page', entry: [{ id: id(), time: 1 }] })],
    [
      'signed with a time of which no age is too old',
      sourceOf('discord'),
      () => callOf({ id: id(), type: 2 }, {}, clock.now()),
    ],
  ])('is a duplicate for 400 days, and runs no effect, if it is %s', async (_, source, make) => {
    const call = make()
    const accept = () => inbox().accept(source, call)
    const start = clock.now().getTime()
    expect(await accept()).toBe('processed')
    const effect = source === paymentSource ? await paymentOf(call) : undefined
    const goOn = (milliseconds: number) => clock.advance(start + milliseconds - clock.now().getTime())
    for (const milliseconds of [90 * DAY + SECOND, 399 * DAY, 400 * DAY - SECOND]) {
      goOn(milliseconds)
      expect(await accept()).toBe('duplicate')
    }
    if (source === paymentSource) expect(await paymentOf(call)).toEqual(effect)
    goOn(400 * DAY + SECOND)
    expect(await accept()).toBe('processed')
    expect(await accept()).toBe('duplicate')
  })

  it('leaves no part of a large body behind', async () => {
    const call = callOf({ ...payment(), note: randomBytes(4000).toString('base64') })
    const parts = async () => {
      const { Items = [] } = await all.send(new ScanCommand({ TableName: TABLES.events }))
      return Items.filter(({ source }) => String(source).startsWith('payment#part/'))
    }
    expect(await inbox().accept(paymentSource, call)).toBe('processed')
    const first = await parts()
    clock.advance(91 * DAY)
    expect(await inbox().accept(paymentSource, call)).toBe('duplicate')
    expect(first).toHaveLength(1)
    expect(await parts()).toEqual(first)
  })

  it('is a duplicate for as long as the configuration says, and never shorter than its event is there', async () => {
    const config = { retentionDays: { '*': 30, payment: 60 }, dedupeDays: 60 }
    const call = callOf(payment())
    expect(await inbox(config).accept(paymentSource, call)).toBe('processed')
    clock.advance(60 * DAY - SECOND)
    expect(await inbox(config).accept(paymentSource, call)).toBe('duplicate')
    clock.advance(2 * SECOND)
    expect(await inbox(config).accept(paymentSource, call)).toBe('processed')
  })

  it('is a new event if the sender signs a time: with the one of then it would be refused', async () => {
    const body = payment()
    const accept = () => inbox().accept(paymentSource, callOf(body, {}, clock.now()))
    const head = () => dynamoEventReader(documents, TABLES.events).head({ source: 'payment', eventId: body.eventId })
    expect(await accept()).toBe('processed')
    const first = await head()
    clock.advance(90 * DAY - 2 * SECOND)
    expect(await accept()).toBe('duplicate')
    clock.advance(3 * SECOND)
    expect(await head()).toBeUndefined()
    expect(await accept()).toBe('processed')
    const second = await head()
    expect(second?.id).not.toBe(first?.id)
    expect(second).toMatchObject({ receivedAt: clock.now(), outcome: 'superseded' })
  })

  it('and is new has the deliveries and the elements of the new event, and of no other', async () => {
    const event = await stored()
    goOnTo(event, 90)
    const again = newEvent({ source: event.source, eventId: event.eventId, itemCount: 1 })
    const deliverTo = [{ destination: 'another', sweepAt: clock.now() }]
    const beside = { items: ITEMS.slice(1), deliverTo }
    expect(await eventsKept().insert(again, {}, beside)).toEqual({ kind: 'inserted' })
    expect(await dynamoEventReader(documents, TABLES.events).items(event, 2)).toEqual(ITEMS.slice(1))
    const desk = dynamoDeliveryDesk(documents, TABLES.deliveries)
    expect((await desk.of(event)).map(({ destination }) => destination)).toEqual(['another'])
    const [delivery] = await desk.of(event)
    if (!delivery) throw new Error('no delivery')
    const ordered = await desk.create(
      { ...delivery, destination: destinationOf(event) },
      { at: clock.now(), user: 'ada' },
    )
    expect(ordered).toMatchObject({ kind: 'ordered', delivery: { status: 'PENDING' } })
    expect(await desk.of(event)).toHaveLength(2)
  })
})

it('a row past its end is not shown by a transaction that it blocks; one that ends later or never is', async () => {
  clock.advance(SECOND - (clock.now().getTime() % SECOND))
  const now = clock.now().getTime() / SECOND
  const shown: boolean[] = []
  for (const expireAt of [now - 1, now, now + 1, undefined]) {
    const put = { TableName: TABLES.payments, Item: { transactionId: randomUUID() } }
    await all.send(new PutCommand({ ...put, Item: { ...put.Item, expireAt } }))
    const ConditionExpression = 'attribute_not_exists(transactionId)'
    const blocked = { ...put, ConditionExpression, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const
    const writing = documents.send(new TransactWriteCommand({ TransactItems: [{ Put: blocked }] }))
    const [reason] = await writing.then(
      () => expect.unreachable(),
      ({ CancellationReasons }) => CancellationReasons,
    )
    shown.push(reason.Item !== undefined)
  }
  expect(shown).toEqual([false, false, true, true])
})
