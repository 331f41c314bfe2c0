import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import { systemClock } from '../../lib/runtime/time.ts'
import { AuthService } from '../../proto/gen/gatehouse/v1/auth_pb.ts'
import { WebhookEventService } from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import type { AdapterProcess } from '../../test/support/adapter-process.ts'
import { type EmulatedStore, TABLES } from '../../test/support/emulated-store.ts'
import { failedEvent } from '../../test/support/fakes/webhooks.ts'
import { bearerField, callUnary, connect, openStream } from '../../test/support/grpc-client.ts'
import { ADMIN_TOKEN, type Instances, threeInstances } from '../../test/support/instances.ts'
import { ResumingClient } from '../../test/support/resuming-client.ts'

const CLIENTS = 300
const PACE_MS = 20
const IN_TIME = { timeout: 60_000, interval: 200 }

let instances: Instances
let clients: ResumingClient[]
let send: () => Promise<string>
/** The ids of all events so far. */
const sent: string[] = []

beforeAll(async () => {
  instances = await threeInstances()
  send = intake(instances.store)
  const addresses = instances.adapters.map(({ ws }) => ws)
  clients = Array.from({ length: CLIENTS }, (_, index) => new ResumingClient(ADMIN_TOKEN, addresses, index))
  await Promise.all(clients.map((client) => client.connect()))
})

afterAll(async () => {
  for (const client of clients) client.stop()
  await instances.stop()
})

/** Takes in events as a webhook function does. */
function intake({ documents }: EmulatedStore): () => Promise<string> {
  const clock = systemClock
  const events = dynamoEventStore(documents, TABLES)
  const ids = clockIds(clock)
  return async () => {
    const eventId = randomUUID()
    const payloadSha256 = eventId.replaceAll('-', '').repeat(2)
    const { nextRetryAt: _, ...event } = failedEvent({
      id: ids.ordered(),
      eventId,
      receivedAt: clock.now(),
      payloadSha256,
    })
    await events.insert({ ...event, status: 'PROCESSED', errorMessage: undefined }, {})
    return eventId
  }
}

/** Takes in so many events, one after the other. */
async function take(count: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    sent.push(await send())
    await setTimeout(PACE_MS)
  }
}

/** Every client has been told of every event, and of none twice. */
async function expectAllToldOnce(): Promise<void> {
  await vi.waitUntil(() => clients.every(({ told }) => told.size >= sent.length), IN_TIME)
  for (const { told } of clients) expect(told).toEqual(new Map(sent.map((eventId) => [eventId, 1])))
}

const nth = (index: number): AdapterProcess => {
  const adapter = instances.adapters[index]
  if (adapter) return adapter
  throw new Error('no such process')
}

describe('three processes, 300 watching clients', () => {
  it('200 events are 60,000 messages: none is missing or repeated', async () => {
    await take(200)
    await expectAllToldOnce()
    const messages = clients.flatMap(({ told }) => [...told.values()]).reduce((sum, count) => sum + count, 0)
    expect(messages).toBe(60_000)
  })

  it('after a process is killed, its clients resume on another one and see every event exactly once', async () => {
    const { child } = nth(0)
    const events = take(100)
    await setTimeout(30 * PACE_MS)
    child.kill('SIGKILL')
    await events
    await expectAllToldOnce()
    expect(clients.filter(({ closes }) => closes.length > 0).length).toBeGreaterThanOrEqual(CLIENTS / 3)
  })

  it('a process drains under load: no client misses an event or receives a protocol error', async () => {
    const { child, ended, grpc, ws } = nth(1)
    const over = connect(grpc)
    const watch = openStream(WebhookEventService.method.watchWebhookEvents, {}, bearerField(ADMIN_TOKEN), over)
    await vi.waitUntil(() => watch.messages.length > 0, 20_000)
    const codes = new Set<string>()
    const calls = async () => {
      while (child.exitCode === null) {
        codes.add((await callUnary(AuthService.method.whoAmI, {}, bearerField(ADMIN_TOKEN), { over })).code)
      }
    }
    const events = take(100)
    const calling = calls()
    await setTimeout(20 * PACE_MS)
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    await Promise.all([events, calling])
    await expectAllToldOnce()
    expect((await watch.ended).code).toBe('UNAVAILABLE')
    expect([...codes].filter((code) => !['OK', 'UNAVAILABLE'].includes(code))).toEqual([])
    const goodbyes = clients.flatMap(({ closes }) => closes.filter(({ address }) => address === ws).slice(-1))
    expect(goodbyes.length).toBeGreaterThanOrEqual(CLIENTS / 3)
    expect(new Set(goodbyes.map(({ code }) => code))).toEqual(new Set([1001]))
    over.close()
  })
})
