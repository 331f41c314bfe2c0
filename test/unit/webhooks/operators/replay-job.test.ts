import { describe, expect, it } from 'vitest'
import { unavailable } from '../../../../lib/errors.ts'
import { toLocalDateTime } from '../../../../lib/runtime/time.ts'
import { ProcessingError } from '../../../../lib/webhooks/apply.ts'
import { logAudit } from '../../../../lib/webhooks/audit.ts'
import type { WebhookEvent } from '../../../../lib/webhooks/event.ts'
import { type ReplayCommand, type ReplayCounter, startReplay } from '../../../../lib/webhooks/operators/replay.ts'
import { createReplayJob, type OrderEvent, wakeReplays } from '../../../../lib/webhooks/operators/replay-job.ts'
import { type OperatorStore, replayedRuns } from '../../../../lib/webhooks/operators/reset.ts'
import { scanEvents } from '../../../../lib/webhooks/retry/scan.ts'
import { createRetries } from '../../../../lib/webhooks/retry/worker.ts'
import type { EventSource } from '../../../../lib/webhooks/source.ts'
import { recordingAnnouncer } from '../../../support/fakes/announcer.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { memoryEventList } from '../../../support/fakes/event-list.ts'
import { countingIds } from '../../../support/fakes/ids.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { MemoryStore } from '../../../support/fakes/memory-store.ts'
import { recordingMetrics } from '../../../support/fakes/metrics.ts'
import { memoryOperatorStore } from '../../../support/fakes/operator-store.ts'
import { MemoryReplays } from '../../../support/fakes/replay-store.ts'
import { failedEvent, MINUTE, POLICY, SIGNED, sourceOf } from '../../../support/fakes/webhooks.ts'
import { inFull } from '../../../support/full-runs.ts'

const DEADLINE = 30_000

/** Numbers from 0 to 1 that are the same in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Handlers of events named `bad-…` fail. */
const source: EventSource = {
  ...sourceOf(() => ({})),
  read: ({ body }) => ({
    identity: { ...SIGNED, eventId: body.toString() },
    plan: () => {
      if (body.toString().startsWith('bad')) throw new ProcessingError('still broken')
      return { outcome: 'well' }
    },
  }),
}

function deadEvent(id: number, kind: 'good' | 'bad' = 'good'): WebhookEvent {
  const eventId = `${kind}-${id}`
  return failedEvent({
    id: BigInt(id),
    eventId,
    payload: Buffer.from(eventId),
    attempts: 3,
    dead: true,
    nextRetryAt: undefined,
  })
}

interface Fate {
  /** The probability that a process dies before, and again after, each call to a store or a queue. */
  readonly death?: number
  /** The probability that a message comes twice. */
  readonly echo?: number
  readonly seed?: number
}

/** A whole service in memory, on a clock of its own, whose workers may die anywhere. */
async function world(events: readonly WebhookEvent[], { death = 0, echo = 0, seed = 1 }: Fate = {}) {
  const random = numbersFrom(seed)
  const store = new MemoryStore()
  const memory = new MemoryReplays()
  const clock = fixedClock()
  const log = recordingLog()
  const announcer = recordingAnnouncer()
  const starts: number[] = []
  let isDead = false
  let deaths = 0
  let onDeath = () => {}
  for (const event of events) await store.eventStore.insert(event, {})
  clock.advance(90 * MINUTE)

  /** What a dead process awaits never comes. */
  function live<T>(result: T): T | Promise<never> {
    if (!isDead && random() < death) {
      isDead = true
      deaths += 1
      onDeath()
    }
    return isDead ? new Promise<never>(() => {}) : result
  }
  function mortal<T extends object>(port: T): T {
    const calls = Object.entries(port).map(([name, call]) => [
      name,
      async (...given: unknown[]) => {
        await live(undefined)
        return live(await call(...given))
      },
    ])
    return Object.fromEntries(calls)
  }

  const list = memoryEventList(() => [...store.events.values()].map(({ event }) => event))
  const retries = createRetries({
    store: mortal(store.retryStore),
    queue: mortal(store.retryQueue),
    sourceOf: () => source,
    policy: POLICY,
    clock,
    ids: countingIds(),
    audit: logAudit(log),
    log,
  })
  const delivered = new Set<string>()
  const deliverTo: OrderEvent = async ({ eventId }) => {
    await live(undefined)
    if (!delivered.has(eventId)) starts.push(clock.now().getTime())
    delivered.add(eventId)
  }
  const memoryOperators = memoryOperatorStore(store)
  const operators: OperatorStore = {
    async reset(key, order) {
      const reset = await memoryOperators.reset(key, order)
      if (reset.kind === 'reset') starts.push(clock.now().getTime())
      return reset
    },
  }
  const audit = logAudit(log)
  const run = replayedRuns({ operators: mortal(operators), queue: mortal(store.retryQueue), audit, log })
  const counter: ReplayCounter = {
    async count({ replayId, destination }) {
      if (destination !== undefined) return { done: delivered.size, failed: 0, waiting: 0 }
      const own = [...store.events.values()].map(({ event }) => event).filter((event) => event.replayId === replayId)
      const isYetToRun = ({ status, attempts, nextRetryAt }: WebhookEvent) =>
        status === 'RETRY' || (status === 'FAILED' && attempts === 0 && nextRetryAt !== undefined)
      const [done, waiting] = [own.filter(({ status }) => status === 'PROCESSED').length, own.filter(isYetToRun).length]
      return { done, waiting, failed: own.length - done - waiting }
    },
  }
  const parts = {
    replays: mortal(memory.replays),
    runs: mortal(memory.runs),
    counter,
    listOf: () => mortal(list),
    order: ((key, order, replay) =>
      (replay.destination === undefined ? run : deliverTo)(key, order, replay)) satisfies OrderEvent as OrderEvent,
    queue: mortal(memory.replayQueue),
    clock,
    announcer,
    metrics: recordingMetrics(),
    log,
    wait: async (milliseconds: number) => {
      await live(undefined)
      clock.advance(milliseconds)
    },
  }
  const job = createReplayJob(parts)

  /** One invocation of a worker, which may end with its death. */
  async function invoke(work: () => Promise<unknown>): Promise<unknown> {
    const { promise: died, resolve } = Promise.withResolvers<unknown>()
    onDeath = () => resolve('died')
    const outcome = await Promise.race([work().catch((error) => error), died])
    await new Promise(setImmediate)
    isDead = false
    return outcome
  }

  async function deliver(): Promise<void> {
    const sent = memory.queue.shift()
    if (!sent) return void clock.advance(MINUTE / 2)
    if (random() < echo) memory.queue.push(sent)
    clock.advance(sent.delayMs)
    const deadline = new Date(clock.now().getTime() + DEADLINE)
    await invoke(() => job.receive(JSON.stringify(sent.hint), deadline))
  }

  async function scan(): Promise<void> {
    await invoke(() => wakeReplays(parts))
    const due = {
      store: store.retryStore,
      audit,
      due: store.dueEvents,
      queue: store.retryQueue,
      policy: POLICY,
      clock,
      metrics: recordingMetrics(),
      log,
    }
    await scanEvents(due, new Date(clock.now().getTime() + MINUTE))
    for (const { hint } of store.queue.splice(0)) await invoke(() => retries.attempt(hint))
  }

  return {
    store,
    memory,
    clock,
    log,
    job,
    parts,
    told: announcer.told,
    starts,
    deaths: () => deaths,
    deliver,
    start: (ratePerSecond: number, changes: Partial<ReplayCommand> = {}) =>
      startReplay(
        {
          ...{ replays: memory.replays, counter, listOf: () => list, replayQueue: memory.replayQueue, clock, log },
          isDestination: () => true,
        },
        { replayId: 'r-1', filter: {}, reason: 'again', ratePerSecond, dryRun: false, user: 'admin', ...changes },
      ),
    replay: () => memory.rows.get('r-1')?.replay,
    async untilDone() {
      for (let turn = 0; turn < 20_000 && memory.rows.get('r-1')?.replay.state !== 'DONE'; turn++) {
        await deliver()
        if (turn % 5 === 4 || memory.queue.length === 0) await scan()
      }
      return memory.rows.get('r-1')?.replay
    },
  }
}

type World = Awaited<ReturnType<typeof world>>

/** How often operators, in the words of its history, took an event up. */
function timesTakenUp({ history }: WebhookEvent): number {
  return history.filter(({ by }) => by === 'operator').length
}

function eventsOf({ store }: World): readonly WebhookEvent[] {
  return [...store.events.values()].map(({ event }) => event)
}

/** The most events that were started within any second. */
function busiestSecond(starts: readonly number[]): number {
  let first = 0
  return starts.reduce((most, time, index) => {
    while ((starts[first] ?? 0) <= time - 1000) first += 1
    return Math.max(most, index - first + 1)
  }, 0)
}

/** Each event was taken up once, its effect was written once at most, and it was counted as what it is now. */
function expectEachOnce(one: World): void {
  const events = eventsOf(one)
  expect(events.filter((event) => timesTakenUp(event) !== 1)).toEqual([])
  expect([...new Set(one.store.applied.values())]).toEqual([1])
  const done = events.filter(({ status }) => status === 'PROCESSED').length
  expect(one.store.applied.size).toBe(done)
  expect(one.replay()).toMatchObject({ state: 'DONE', matched: events.length, done, failed: events.length - done })
}

const FIRST = '{"replayId":"r-1","step":0}'

describe('the job of a replay', () => {
  const many = (count: number) => Array.from({ length: count }, (_, id) => deadEvent(id + 1))
  const until = ({ clock }: World) => new Date(clock.now().getTime() + DEADLINE)

  it.each([
    ['replay r-1: again', 'again'],
    ['replay r-1', undefined],
  ])('records its user and “%s” in the history of each event', async (expected, reason) => {
    const one = await world([deadEvent(1)])
    await one.start(10, { reason })
    expect(await one.untilDone()).toMatchObject({ state: 'DONE', matched: 1, done: 1 })
    expect(eventsOf(one)[0]).toMatchObject({ status: 'PROCESSED', replayId: 'r-1' })
    expect(eventsOf(one)[0]?.history[1]).toMatchObject({ by: 'operator', user: 'admin', reason: expected })
    expect(one.log.of('audit')).toContainEqual(expect.objectContaining({ decision: 'replayed', eventId: 'good-1' }))
  })

  it.each([
    [1, 1, 1],
    [10, 2, 10],
    [100, 20, 60],
    [1000, 25, 60],
  ])('of %i a second orders up to %i of 60 events at once, and %i within a second', async (rate, atOnce, inSecond) => {
    const one = await world(many(60))
    await one.start(rate)
    expect(await one.untilDone()).toMatchObject({ done: 60 })
    const together = Map.groupBy(one.starts, (time) => time).values()
    expect(Math.max(...together.map(({ length }) => length))).toBe(atOnce)
    expect(busiestSecond(one.starts)).toBe(inSecond)
  })

  it('P08 orders no event that was received, or failed, elsewhere or later', async () => {
    const one = await world([deadEvent(1)])
    await one.start(10)
    one.clock.advance(1)
    await one.store.eventStore.insert({ ...deadEvent(2), receivedAt: one.clock.now() }, {})
    await one.store.eventStore.insert({ ...deadEvent(3), status: 'PROCESSED' }, {})
    expect(await one.untilDone()).toMatchObject({ matched: 1, done: 1, failed: 0 })
    expect(one.store.find({ source: 'test', eventId: 'good-2' })).toMatchObject({ status: 'FAILED', dead: true })
  })

  it('continues with the next message when its time is over, and drops older ones', async () => {
    const one = await world(many(30))
    await one.start(1)
    await one.deliver()
    expect(one.replay()).toMatchObject({ step: 2, state: 'RUNNING', isListed: false })
    expect(one.starts).toHaveLength(20)
    expect(one.memory.queue).toEqual([{ hint: { replayId: 'r-1', step: 2 }, delayMs: 0 }])
    expect(one.memory.rows.get('r-1')?.wakeAt).toEqual(new Date(one.clock.now().getTime() + MINUTE))
    expect(one.log.of('replay')).toEqual([{ replayId: 'r-1', step: 0, outcome: 'passed' }])
    expect(await one.job.receive(FIRST, until(one))).toBe('dropped')
    expect(await one.untilDone()).toMatchObject({ done: 30 })
  })

  it('leaves out events that their own schedule has processed, or that are gone', async () => {
    const one = await world([deadEvent(1), deadEvent(2), deadEvent(3)])
    await one.start(10)
    const list = one.parts.listOf()
    const find: typeof list.find = async (...given) => {
      const page = await list.find(...given)
      one.store.events.set('test\0good-1', { event: { ...deadEvent(1), status: 'PROCESSED' }, sweepAt: undefined })
      one.store.events.delete('test\0good-2')
      return page
    }
    await createReplayJob({ ...one.parts, listOf: () => ({ ...list, find }) }).receive(FIRST, until(one))
    expect(await one.untilDone()).toMatchObject({ matched: 1, done: 1, failed: 0 })
  })

  it('waits for what it ordered to be run, later each time, and is then left to the scan', async () => {
    const one = await world([deadEvent(1)])
    await one.start(10)
    const delays: number[] = []
    const outcomes = []
    for (let sent = one.memory.queue.shift(); sent; sent = one.memory.queue.shift()) {
      delays.push(sent.delayMs)
      one.clock.advance(sent.delayMs)
      outcomes.push(await one.job.receive(JSON.stringify(sent.hint), until(one)))
    }
    expect(delays.slice(0, 9)).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    expect([outcomes.length, outcomes.at(-1)]).toEqual([36, 'stopped'])
    expect(one.parts.metrics.counted).toEqual([['LoopStopped', {}]])
    expect(one.log.of('replay stopped, the scan will wake it')).toHaveLength(1)
    one.clock.advance(2 * MINUTE)
    await wakeReplays(one.parts)
    expect(one.memory.queue).toEqual([{ hint: { replayId: 'r-1', step: one.replay()?.step }, delayMs: 0 }])
    expect(await one.untilDone()).toMatchObject({ state: 'DONE', done: 1 })
  })

  it('during an outage of the store stays on the queue, logs the cause, and loses nothing', async () => {
    const one = await world([deadEvent(1), deadEvent(2)])
    await one.start(10)
    one.store.isStoreDown = true
    await expect(one.job.receive(FIRST, until(one))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    const said = one.log.of('a message stays on the replay queue')
    expect(said).toEqual([{ cause: expect.objectContaining({ code: 'UNAVAILABLE' }) }])
    one.store.isStoreDown = false
    expect(await one.untilDone()).toMatchObject({ matched: 2, done: 2 })
  })

  it.each(['note', 'finish'] as const)('ends when another worker was first to %s', async (move) => {
    const one = await world(many(3))
    await one.start(1000)
    for (const { event } of one.store.events.values()) {
      const isProcessed = { ...event, status: 'PROCESSED', replayId: 'r-1' } as const
      if (move === 'finish') one.store.events.set(`test\0${event.eventId}`, { event: isProcessed, sweepAt: undefined })
    }
    one.memory.queue.splice(0)
    const { receive } = createReplayJob({ ...one.parts, runs: { ...one.parts.runs, [move]: async () => false } })
    expect(await receive(FIRST, until(one))).toBe('lost')
    expect([one.memory.queue, one.told]).toEqual([[], []])
  })

  it('notifies the user who ordered it when it is done, with the counts', async () => {
    const one = await world([deadEvent(1), deadEvent(2, 'bad')])
    await one.start(10, { orderedBy: 'id-1' })
    expect(one.told).toEqual([])
    await one.untilDone()
    const at = toLocalDateTime(one.clock.now())
    const notice = { type: 'replay-finished', replayId: 'r-1', state: 'DONE', matched: 2, done: 1, failed: 1, at }
    expect(one.told).toEqual([{ kind: 'order', orderedBy: 'id-1', notice }])
    expect(eventsOf(one).map(({ orderedBy }) => orderedBy)).toEqual([undefined, undefined])
  })

  it.each(['', '{"replayId":1,"step":0}', '{"replayId":"r","step":-1}', '{"replayId":"r","step":0,"looks":-1}'])(
    'takes no message that is none: %s',
    async (message) => {
      const one = await world([])
      await expect(one.job.receive(message, START)).rejects.toThrow('a message on the replay queue is no hint')
    },
  )

  it('reports an outage of its queue, and the scan goes on', async () => {
    const one = await world(many(30))
    await one.start(1)
    const queue = { send: () => Promise.reject(unavailable(new Error('down'))) }
    const { receive } = createReplayJob({ ...one.parts, queue })
    await expect(receive(FIRST, until(one))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    one.clock.advance(2 * MINUTE)
    expect(await one.parts.runs.waiting(one.clock.now())).toEqual([{ replayId: 'r-1', step: 2 }])
  })
})

describe('a replay to a destination', () => {
  const processed = (id: number): WebhookEvent => ({ ...deadEvent(id), status: 'PROCESSED', dead: false })

  it('orders the delivery of each event, of any status, and runs none', async () => {
    const one = await world([processed(1), processed(2), deadEvent(3)])
    expect(await one.start(10, { destination: 'crm' })).toMatchObject({ matched: 3 })
    const ordered: unknown[] = []
    const order: OrderEvent = async (key, given, replay) => {
      ordered.push([key.eventId, replay.destination, given])
      return one.parts.order(key, given, replay)
    }
    await createReplayJob({ ...one.parts, order }).receive(FIRST, new Date(one.clock.now().getTime() + DEADLINE))
    expect(one.replay()).toMatchObject({ state: 'DONE', matched: 3 })
    const given = { user: 'admin', reason: 'replay r-1: again', replayId: 'r-1', at: expect.any(Date) }
    expect(ordered).toEqual(['good-3', 'good-2', 'good-1'].map((eventId) => [eventId, 'crm', given]))
    expect(eventsOf(one).filter((event) => timesTakenUp(event) > 0)).toEqual([])
  })
})

it('P08 events replayed by filter take effect and are counted once, in worlds with crashes at any time', async () => {
  for (let seed = 1; seed <= inFull(30, 8); seed++) {
    const events = Array.from({ length: 60 }, (_, id) => deadEvent(id + 1, id % 7 === 0 ? 'bad' : 'good'))
    const one = await world(events, { death: 1 / 25, echo: 0.5, seed })
    await one.start(1 + ((seed * 37) % 100))
    // A handler that works may still be in a process that dies at every attempt.
    expect((await one.untilDone())?.done, `world ${seed}`).toBeGreaterThan(30)
    expect(one.deaths(), `world ${seed}`).toBeGreaterThan(5)
    expectEachOnce(one)
  }
}, 120_000)
