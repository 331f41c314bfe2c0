import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dynamoEventReader } from '../../lib/adapters/dynamodb/event-reader.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoDueEvents, dynamoRetryStore } from '../../lib/adapters/dynamodb/retry-store.ts'
import type { Effects } from '../../lib/webhooks/apply.ts'
import type { EventReader } from '../../lib/webhooks/detail.ts'
import type { WebhookEvent } from '../../lib/webhooks/event.ts'
import type { EventStore } from '../../lib/webhooks/place.ts'
import type { DueEvents } from '../../lib/webhooks/retry/scan.ts'
import type { Claim, RetryStore } from '../../lib/webhooks/retry/worker.ts'
import { type EmulatedStore, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { START } from '../support/fakes/clock.ts'
import { MemoryStore } from '../support/fakes/memory-store.ts'
import { inFull } from '../support/full-runs.ts'

interface Stores {
  readonly events: EventStore
  readonly reader: EventReader
  readonly retries: RetryStore
  readonly due: DueEvents
}

let store: EmulatedStore
let worlds = 0
let time = START
const clock = { now: () => time }

beforeAll(async () => {
  store = await emulatedStore('dynoxide', clock)
})
afterAll(() => store.stop())

const at = (second: number) => new Date(START.getTime() + second * 1000)

/** What was asked of both stores: an act with numbers that choose its details. */
interface Act {
  readonly name: keyof typeof ACTS
  readonly event: number
  readonly n: number
  readonly owner: number
  readonly variant: number
}

/** Of the events and of their identities: some end within a run. */
const RETENTION = { daysOf: () => 130 / 86_400, dedupeDays: 250 / 86_400 }

/** One run of acts on events of its own; time goes on by 20 seconds with each act. */
interface Scene extends Act {
  readonly world: number
  readonly second: number
}

const STATUSES = ['RECEIVED', 'FAILED', 'PROCESSED'] as const
const RANKED = ['FAILED', 'COMPLETED', 'REFUNDED'] as const

const sourceOf = ({ world }: Scene) => `source-${world}`

function eventOf(scene: Scene): WebhookEvent {
  const status = STATUSES[scene.variant % 3] ?? 'RECEIVED'
  const receivedAt = at(scene.second)
  const payload = Buffer.from(`body-${scene.n % 2}`)
  return {
    id: BigInt(1 + scene.owner),
    source: sourceOf(scene),
    eventId: `event-${scene.event}`,
    eventType: 'TEST',
    status,
    receivedAt,
    processedAt: status === 'PROCESSED' ? receivedAt : undefined,
    attempts: 0,
    nextRetryAt: status === 'FAILED' ? at(scene.second + 30) : undefined,
    dead: false,
    payload,
    payloadSha256: createHash('sha256').update(payload).digest('hex'),
    proof: { level: 'none', typeSigned: false, idSigned: false },
    headers: {},
    history: [{ at: receivedAt, status, by: 'intake' }],
  }
}

/** The content of an event, sometimes in place of that of another. */
function contentOf(scene: Scene) {
  const last = { eventId: `event-${1 - scene.event}`, at: at(0) }
  return { sha256: eventOf(scene).payloadSha256, ...(scene.variant === 4 && { last }) }
}

function effectsOf({ world, variant, event }: Scene): Effects {
  const status = RANKED[variant % 3]
  if (!status || variant > 2) return { outcome: 'none' }
  const change = { transactionId: `transaction-${world}`, status, currency: 'EUR', orderId: `order-${event % 2}` }
  return { payment: { mode: 'advance', change } }
}

function claimOf(scene: Scene): Claim {
  const { event, n, owner, second } = scene
  const key = { source: sourceOf(scene), eventId: `event-${event}` }
  return {
    ...key,
    n,
    owner: `owner-${owner}`,
    now: at(second),
    leaseUntil: at(second + 50),
    maxAttempts: 1 + 2 * owner,
  }
}

/** What a failing or ending run says. */
const failureOf = ({ variant, second }: Scene) => ({
  at: at(second),
  errorMessage: 'no',
  nextRetryAt: variant % 2 === 0 ? at(second + 30) : undefined,
})

const ACTS = {
  insert: ({ events }: Stores, scene: Scene) =>
    events.insert(
      eventOf(scene),
      scene.variant % 3 === 2 ? effectsOf({ ...scene, variant: scene.n }) : {},
      scene.owner === 0 ? { content: contentOf(scene) } : { isIdentified: scene.variant % 2 === 0 },
    ),
  noteConflict: async ({ events, reader }: Stores, scene: Scene) => {
    const event = await reader.find(eventOf(scene))
    if (event) await events.noteConflict(scene.variant === 0 ? eventOf(scene) : event, at(scene.second))
  },
  claim: ({ retries }: Stores, scene: Scene) => retries.claim(claimOf(scene)),
  finish: ({ retries }: Stores, scene: Scene) =>
    retries.finish(claimOf(scene), eventOf(scene), effectsOf(scene), at(scene.second)),
  fail: ({ retries }: Stores, scene: Scene) => retries.fail(claimOf(scene), eventOf(scene), failureOf(scene)),
  release: ({ retries }: Stores, scene: Scene) => retries.release(claimOf(scene), undefined, at(scene.second)),
  exhaust: ({ retries }: Stores, scene: Scene) =>
    retries.exhaust({ ...claimOf(scene), n: Math.max(1, scene.n) }, at(scene.second), 'over'),
  postpone: ({ due }: Stores, scene: Scene) => due.postponeScan(claimOf(scene), at(scene.second + 60)),
} as const

const names = Object.keys(ACTS) as readonly (keyof typeof ACTS)[]
const acts = fc.array(
  fc.record({
    name: fc.constantFrom(...names, 'insert', 'claim', 'claim'),
    event: fc.nat(1),
    n: fc.nat(3),
    owner: fc.nat(1),
    variant: fc.nat(4),
  }) satisfies fc.Arbitrary<Act>,
  { minLength: 5, maxLength: 25 },
)

/** The answer of an act, as far as its caller reads it. */
async function answerOf(stores: Stores, scene: Scene): Promise<unknown> {
  try {
    const answer = await ACTS[scene.name](stores, scene)
    if (typeof answer !== 'object') return undefined
    const { status, attempts, id } = {
      status: undefined,
      attempts: undefined,
      id: undefined,
      ...('event' in answer && answer.event),
    }
    return { kind: answer.kind, stored: 'stored' in answer ? answer.stored : undefined, status, attempts, id }
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

/** Everything that is kept of the events of a world. */
async function stateOf({ reader, due }: Stores, world: number, end: number) {
  const source = `source-${world}`
  const rows = await Promise.all([0, 1].map((event) => reader.find({ source, eventId: `event-${event}` })))
  const waiting: string[] = []
  for (const second of [end, end + 20, end + 40, 100_000]) {
    for await (const page of due.dueBy(at(second))) {
      const own = page.filter(({ hint }) => hint.source === source)
      waiting.push(...own.map((one) => `${second} ${JSON.stringify(one)}`))
    }
  }
  const known = rows.map(
    (row) => row && { ...row, owner: undefined, history: row.history.map(({ status, by }) => status + by) },
  )
  return { rows: known, waiting: waiting.sort() }
}

it('the fake of the unit tests and of the simulation answers and stores the same as the emulated store, for any request', async () => {
  const emulated: Stores = {
    events: dynamoEventStore(store.documents, { ...TABLES, retention: RETENTION }),
    reader: dynamoEventReader(store.documents, TABLES.events),
    retries: dynamoRetryStore(store.documents, TABLES),
    due: dynamoDueEvents(store.documents, TABLES.events),
  }
  await fc.assert(
    fc.asyncProperty(acts, async (asked) => {
      const { eventStore, eventReader, retryStore, dueEvents } = new MemoryStore({ retention: RETENTION, clock })
      const fake: Stores = { events: eventStore, reader: eventReader, retries: retryStore, due: dueEvents }
      const world = worlds++
      for (const [index, act] of asked.entries()) {
        const scene = { ...act, world, second: index * 20 }
        time = at(scene.second)
        expect(await answerOf(fake, scene), JSON.stringify(scene)).toEqual(await answerOf(emulated, scene))
      }
      const end = asked.length * 20
      time = at(end)
      expect(await stateOf(fake, world, end)).toEqual(await stateOf(emulated, world, end))
    }),
    { numRuns: inFull(200, 25) },
  )
}, 120_000)
