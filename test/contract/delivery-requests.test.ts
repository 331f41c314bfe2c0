import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { dynamoDeliveryStore } from '../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoEventReader } from '../../lib/adapters/dynamodb/event-reader.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoHealthStore } from '../../lib/adapters/dynamodb/health-store.ts'
import type { Documents } from '../../lib/adapters/dynamodb/table.ts'
import type { DeliveryAnswer } from '../../lib/deliver/carrier.ts'
import { createCircuit } from '../../lib/deliver/circuit.ts'
import { deliveringInserts } from '../../lib/deliver/delivering-inserts.ts'
import type { DeliveryHint } from '../../lib/deliver/delivery.ts'
import { createDeliveries, type Deliveries } from '../../lib/deliver/worker.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { TABLES } from '../support/emulated-store.ts'
import { recordingAnnouncer } from '../support/fakes/announcer.ts'
import { fixedClock } from '../support/fakes/clock.ts'
import { CRM, EVENT } from '../support/fakes/deliveries.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { recordingMetrics } from '../support/fakes/metrics.ts'
import { startedStore } from './stores.ts'

const store = startedStore()

/** The requests to DynamoDB, as `<table> <command>`. */
type Requests = Readonly<Record<string, number>>

/** A destination that answers so, on the real stores. */
function destination(answer: DeliveryAnswer) {
  const own = { ...CRM, name: `d-${randomUUID().slice(0, 8)}` }
  const clock = fixedClock()
  const hints: DeliveryHint[] = []
  const log = recordingLog()
  const queue = { send: async (hint: DeliveryHint) => void hints.push(hint) }
  let counts: Record<string, number> = {}
  const documents = {
    async send(command: {
      readonly input: { readonly TableName?: string; readonly Key?: { readonly event?: string } }
    }) {
      const { TableName: table = '', Key: key, ...rest } = command.input
      const item = (rest as { readonly Item?: { readonly event?: string } }).Item
      const row = (key?.event ?? item?.event) === '#destination' ? 'health' : table
      const name = `${row} ${command.constructor.name.replace('Command', '')}`
      counts[name] = (counts[name] ?? 0) + 1
      return store.documents.send(command as never)
    },
  } as unknown as Documents
  const tables = { events: TABLES.events, deliveries: TABLES.deliveries, effects: [] }
  const inserts = deliveringInserts(dynamoEventStore(documents, tables), { destinations: [own], queue, log })

  /** A worker in a process of its own. */
  function worker() {
    return createDeliveries({
      destination: own,
      store: dynamoDeliveryStore(documents, TABLES.deliveries),
      events: dynamoEventReader(documents, TABLES.events),
      circuit: createCircuit(dynamoHealthStore(documents, TABLES.deliveries), own.name, clock),
      carrier: { carry: async () => answer },
      queue,
      wait: setTimeout,
      clock,
      ids: clockIds(clock),
      random: () => 0,
      deaths: recordingAnnouncer(),
      metrics: recordingMetrics(),
      log,
    })
  }

  return {
    clock,
    worker,
    /** How many hints were sent since the last events were accepted, theirs among them. */
    sent: () => hints.length,
    health: () => dynamoHealthStore(store.documents, TABLES.deliveries).read(own.name),
    /** The first hints of new events. */
    async accept(count: number, bytes = 100): Promise<readonly DeliveryHint[]> {
      hints.length = 0
      for (let each = 0; each < count; each++) {
        const event = { ...EVENT, eventId: randomUUID(), receivedAt: clock.now(), payload: Buffer.alloc(bytes, 'a') }
        await inserts.insert(event, {})
      }
      return [...hints]
    },
    /** What was asked since the last look. */
    asked(): Requests {
      const seen = counts
      counts = {}
      return seen
    },
  }
}

const DELIVERED: DeliveryAnswer = { kind: 'delivered', answer: 'HTTP 204' }
const FAILED: DeliveryAnswer = { kind: 'failed', answer: 'HTTP 500' }

describe('the requests of a delivery to DynamoDB', () => {
  it.each([
    ['up to 3 KB', 3072, { deliveries: 2 }],
    ['more', 3073, { deliveries: 2, events: 1 }],
  ])(
    'are two writes that are no transaction, and no other hint; a body of %s',
    async (_, bytes, { deliveries, events }: { deliveries: number; events?: number }) => {
      const { accept, worker, asked, sent } = destination(DELIVERED)
      const { attempt } = worker()
      const [first, second] = await accept(2, bytes)
      expect(await attempt(first as DeliveryHint)).toBe('delivered')
      asked()
      expect(await attempt(second as DeliveryHint)).toBe('delivered')
      const { [`${TABLES.events} Get`]: gets, [`${TABLES.events} BatchGet`]: parts, ...rest } = asked()
      expect(rest).toEqual({ [`${TABLES.deliveries} Update`]: deliveries })
      expect([gets, parts, sent()]).toEqual([events, undefined, 2])
    },
  )

  it('read the state of its destination once in five seconds and process', async () => {
    const { accept, worker, asked, clock } = destination(DELIVERED)
    const { attempt } = worker()
    const hints = await accept(4)
    asked()
    for (const hint of hints) {
      await attempt(hint)
      clock.advance(2500)
    }
    expect(asked()['health Get']).toBe(2)
  })

  it('that fails are two writes, one hint and no read, and in each second one of the state of the destination', async () => {
    const { accept, worker, asked, sent, clock, health } = destination(FAILED)
    const { attempt } = worker()
    const hints = await accept(40)
    asked()
    for (const hint of hints) {
      expect(await attempt(hint)).toBe('failed')
      clock.advance(100)
    }
    expect(asked()).toEqual({ 'health Get': 1, 'health Put': 4, [`${TABLES.deliveries} Update`]: 80 })
    expect(sent()).toBe(2 * 40)
    expect(await health()).toMatchObject({ state: 'CLOSED', failures: 31, version: 4 })
  })

  it('that fail in several processes at once store the state of the destination once in a second', async () => {
    const { accept, worker, asked, clock, health } = destination(FAILED)
    const workers = Array.from({ length: 5 }, worker)
    const hints = await accept(200)
    asked()
    for (let second = 0; second < 4; second++) {
      const batch = hints.slice(second * 50, (second + 1) * 50)
      const serve = async ({ attempt }: Pick<Deliveries, 'attempt'>, own: readonly DeliveryHint[]) => {
        for (const hint of own) await attempt(hint)
      }
      await Promise.all(workers.map((one, index) => serve(one, batch.slice(index * 10, (index + 1) * 10))))
      clock.advance(1000)
    }
    const { 'health Put': puts = 0, ...rest } = asked()
    expect(rest).toEqual({ 'health Get': 5, [`${TABLES.deliveries} Update`]: 400 })
    expect(await health()).toMatchObject({ state: 'CLOSED', version: 4 })
    // Each process tries once in a second, and one of them is first.
    expect(puts).toBeLessThanOrEqual(4 * 5)
  })

  it('open the circuit after a minute of failures, whatever was not written in between', async () => {
    const { accept, worker, clock, health } = destination(FAILED)
    const { attempt } = worker()
    for (const hint of await accept(130)) {
      await attempt(hint)
      clock.advance(500)
    }
    expect(await health()).toMatchObject({ state: 'OPEN' })
  })
})
