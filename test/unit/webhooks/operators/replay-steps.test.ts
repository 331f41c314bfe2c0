import { describe, expect, it } from 'vitest'
import { unavailable } from '../../../../lib/errors.ts'
import { toLocalDateTime } from '../../../../lib/runtime/local-date-time.ts'
import { ProcessingError } from '../../../../lib/webhooks/apply.ts'
import { logAudit } from '../../../../lib/webhooks/audit.ts'
import type { WebhookEvent } from '../../../../lib/webhooks/event.ts'
import { type ReplayCommand, startReplay } from '../../../../lib/webhooks/operators/replay.ts'
import {
  createReplaySteps,
  type DeliverEvent,
  type ReplayClaim,
  type Rest,
} from '../../../../lib/webhooks/operators/replay-steps.ts'
import { wakeReplays } from '../../../../lib/webhooks/operators/wake.ts'
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

const FUNCTION_TIME = 30_000

/** What becomes of the order of a delivery, where it is not done. */
const RESTS_OF_DELIVERIES: ReadonlyMap<string, Rest> = new Map([
  ['bad-1', 'failed'],
  ['bad-2', 'unmeant'],
])

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
  const deliverEvent: DeliverEvent = async ({ eventId }) => {
    starts.push(clock.now().getTime())
    await live(undefined)
    return RESTS_OF_DELIVERIES.get(eventId) ?? 'done'
  }
  const parts = {
    runs: mortal(memory.runs),
    list: mortal(list),
    operators: mortal(memoryOperatorStore(store)),
    attempt: (hint: Parameters<typeof retries.attempt>[0]) => {
      starts.push(clock.now().getTime())
      return retries.attempt(hint)
    },
    deliver: deliverEvent,
    queue: mortal(memory.replayQueue),
    clock,
    ids: countingIds(),
    audit: logAudit(log),
    announcer,
    metrics: recordingMetrics(),
    log,
    wait: async (milliseconds: number) => {
      await live(undefined)
      clock.advance(milliseconds)
    },
  }
  const steps = createReplaySteps(parts)

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
    const deadline = new Date(clock.now().getTime() + FUNCTION_TIME)
    await invoke(() => steps.receive(JSON.stringify(sent.hint), deadline))
  }

  async function scan(): Promise<void> {
    await invoke(() => wakeReplays(parts))
    const due = {
      store: store.retryStore,
      audit: parts.audit,
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
    steps,
    parts,
    told: announcer.told,
    starts,
    deaths: () => deaths,
    deliver,
    start: (ratePerSecond: number, changes: Partial<ReplayCommand> = {}) =>
      startReplay(
        { replays: memory.replays, list, replayQueue: memory.replayQueue, isDestination: () => true, clock, log },
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

describe('a step of a replay', () => {
  it('records user and reason in the history of each event', async () => {
    const one = await world([deadEvent(1)])
    await one.start(10)
    await one.deliver()
    expect(eventsOf(one)[0]).toMatchObject({ status: 'PROCESSED', replayId: 'r-1' })
    expect(eventsOf(one)[0]?.history[1]).toMatchObject({ by: 'operator', user: 'admin', reason: 'replay r-1: again' })
    expect(one.log.of('audit')).toContainEqual(expect.objectContaining({ decision: 'replayed', eventId: 'good-1' }))
  })

  it('records the replay as the reason by default', async () => {
    const one = await world([deadEvent(1)])
    await one.start(10, { reason: undefined })
    await one.deliver()
    expect(eventsOf(one)[0]?.history[1]).toMatchObject({ by: 'operator', user: 'admin', reason: 'replay r-1' })
  })

  it.each([
    [1, 1, 1],
    [10, 2, 10],
    [100, 20, 60],
    [1000, 25, 60],
  ])('of %i a second starts up to %i of 60 events at once, and %i within a second', async (rate, atOnce, inSecond) => {
    const one = await world(Array.from({ length: 60 }, (_, id) => deadEvent(id + 1)))
    await one.start(rate)
    expect(await one.untilDone()).toMatchObject({ done: 60 })
    const together = Map.groupBy(one.starts, (time) => time).values()
    expect(Math.max(...together.map(({ length }) => length))).toBe(atOnce)
    expect(busiestSecond(one.starts)).toBe(inSecond)
  })

  it('leases its replay for 30 seconds, again after each batch', async () => {
    const one = await world(Array.from({ length: 3 }, (_, id) => deadEvent(id + 1)))
    await one.start(1)
    const leases: number[] = []
    const held = <T>(claim: ReplayClaim, done: T) => {
      leases.push(claim.leaseUntil.getTime() - one.clock.now().getTime())
      return done
    }
    const { runs } = one.parts
    const steps = createReplaySteps({
      ...one.parts,
      runs: {
        ...runs,
        claim: async (claim) => held(claim, await runs.claim(claim)),
        save: async (claim, progress) => held(claim, await runs.save(claim, progress)),
      },
    })
    await steps.receive('{"replayId":"r-1","step":0}', new Date(one.clock.now().getTime() + FUNCTION_TIME))
    expect(one.replay()).toMatchObject({ state: 'DONE', done: 3 })
    expect(leases.length).toBeGreaterThan(2)
    expect(new Set(leases)).toEqual(new Set([30_000]))
  })

  it('P08 retries no event that was received, or failed, elsewhere or later', async () => {
    const one = await world([deadEvent(1)])
    await one.start(10)
    one.clock.advance(1)
    await one.store.eventStore.insert({ ...deadEvent(2), receivedAt: one.clock.now() }, {})
    await one.store.eventStore.insert({ ...deadEvent(3), status: 'PROCESSED' }, {})
    expect(await one.untilDone()).toMatchObject({ matched: 1, done: 1, failed: 0 })
    expect(one.store.find({ source: 'test', eventId: 'good-2' })).toMatchObject({ status: 'FAILED', dead: true })
  })

  it('continues in the next step when its time is over, and ignores older hints', async () => {
    const one = await world(Array.from({ length: 30 }, (_, id) => deadEvent(id + 1)))
    await one.start(1)
    await one.deliver()
    expect(one.replay()).toMatchObject({ step: 1, state: 'RUNNING' })
    expect(one.replay()?.done).toBe(20)
    expect(one.memory.queue).toEqual([{ hint: { replayId: 'r-1', step: 1 }, delayMs: 0 }])
    expect(one.memory.rows.get('r-1')?.wakeAt).toEqual(new Date(one.clock.now().getTime() + 30_000))
    expect(one.log.of('replay step')).toEqual([{ replayId: 'r-1', step: 0, outcome: 'passed' }])
    const deadline = new Date(one.clock.now().getTime() + FUNCTION_TIME)
    expect(await one.steps.receive('{"replayId":"r-1","step":0}', deadline)).toBe('dropped')
    expect(await one.untilDone()).toMatchObject({ done: 30 })
  })

  it('counts events that their own schedule has processed, and does not retry them', async () => {
    const one = await world([deadEvent(1), deadEvent(2)])
    await one.start(10)
    const row = one.memory.rows.get('r-1')
    const batch = [{ source: 'test', eventId: 'good-1' }]
    if (row) one.memory.rows.set('r-1', { ...row, replay: { ...row.replay, batch, isListed: true } })
    const key = 'test\0good-1'
    one.store.events.set(key, { event: { ...deadEvent(1), status: 'PROCESSED' }, sweepAt: undefined })
    expect(await one.untilDone()).toMatchObject({ matched: 1, done: 1, failed: 0 })
    expect([one.starts, one.log.of('audit')]).toEqual([[], []])
  })

  it('counts as failed events that were given up, and does not retry them', async () => {
    const one = await world([deadEvent(1)])
    await one.start(10)
    const row = one.memory.rows.get('r-1')
    const batch = [{ source: 'test', eventId: 'good-1' }]
    if (row) one.memory.rows.set('r-1', { ...row, replay: { ...row.replay, batch, isListed: true } })
    const given = { ...deadEvent(1), attempts: 0, replayId: 'r-1' }
    one.store.events.set('test\0good-1', { event: given, sweepAt: undefined })
    expect(await one.untilDone()).toMatchObject({ matched: 1, done: 0, failed: 1 })
    expect(one.starts).toEqual([])
  })

  it('waits for an event that another worker runs', async () => {
    const one = await world([deadEvent(1)])
    await one.start(10)
    const row = one.memory.rows.get('r-1')
    const batch = [{ source: 'test', eventId: 'good-1' }]
    if (row) one.memory.rows.set('r-1', { ...row, replay: { ...row.replay, batch, isListed: true } })
    const running = { ...deadEvent(1), status: 'RETRY', attempts: 1, leaseUntil: one.clock.now() } as const
    one.store.events.set('test\0good-1', { event: running, sweepAt: one.clock.now() })
    await one.deliver()
    expect(one.replay()).toMatchObject({ state: 'RUNNING', done: 0, batch })
    expect(one.memory.queue).toEqual([{ hint: { replayId: 'r-1', step: 1, idle: 1 }, delayMs: 5000 }])
    expect(one.memory.rows.get('r-1')?.wakeAt).toEqual(new Date(one.clock.now().getTime() + 35_000))
    expect(await one.untilDone()).toMatchObject({ state: 'DONE', done: 1 })
  })

  it('counts a deleted event as failed', async () => {
    const one = await world([])
    await one.start(10)
    const row = one.memory.rows.get('r-1')
    const batch = [{ source: 'test', eventId: 'gone' }]
    if (row) one.memory.rows.set('r-1', { ...row, replay: { ...row.replay, batch, isListed: true } })
    expect(await one.untilDone()).toMatchObject({ matched: 1, done: 0, failed: 1 })
  })

  it('counts an event as failed that may not be retried', async () => {
    const one = await world([deadEvent(1)])
    const attempt = async () => 'dead' as const
    const steps = createReplaySteps({ ...one.parts, attempt })
    await one.start(10)
    await steps.receive('{"replayId":"r-1","step":0}', new Date(one.clock.now().getTime() + FUNCTION_TIME))
    expect(one.replay()).toMatchObject({ state: 'DONE', failed: 1 })
  })

  it('during an outage of the store stays on the queue, logs the cause, and loses nothing', async () => {
    const one = await world([deadEvent(1), deadEvent(2)])
    await one.start(10)
    one.store.isStoreDown = true
    const deadline = new Date(one.clock.now().getTime() + FUNCTION_TIME)
    await expect(one.steps.receive('{"replayId":"r-1","step":0}', deadline)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    })
    const said = one.log.of('a message stays on the replay queue')
    expect(said).toEqual([{ cause: expect.objectContaining({ code: 'UNAVAILABLE' }) }])
    one.store.isStoreDown = false
    expect(await one.untilDone()).toMatchObject({ matched: 2, done: 2 })
  })

  it('stops when another worker has taken the replay over', async () => {
    const one = await world(Array.from({ length: 10 }, (_, id) => deadEvent(id + 1)))
    await one.start(1)
    const runs = { ...one.parts.runs, save: async () => false }
    const steps = createReplaySteps({ ...one.parts, runs })
    const deadline = new Date(one.clock.now().getTime() + FUNCTION_TIME)
    expect(await steps.receive('{"replayId":"r-1","step":0}', deadline)).toBe('lost')
    expect(one.starts).toEqual([])
  })

  it('reports its result: done, or lost if another worker continues', async () => {
    const one = await world(Array.from({ length: 30 }, (_, id) => deadEvent(id + 1)))
    await one.start(1000)
    const deadline = new Date(one.clock.now().getTime() + FUNCTION_TIME)
    expect(await one.steps.receive('{"replayId":"r-1","step":0}', deadline)).toBe('done')
    const other = await world(Array.from({ length: 30 }, (_, id) => deadEvent(id + 1)))
    await other.start(1)
    other.memory.queue.splice(0)
    const steps = createReplaySteps({ ...other.parts, runs: { ...other.parts.runs, pass: async () => false } })
    expect(await steps.receive('{"replayId":"r-1","step":0}', deadline)).toBe('lost')
    expect(other.memory.queue).toEqual([])
  })

  it('notifies the user who ordered the replay when it is done, with the counts', async () => {
    const one = await world([deadEvent(1), { ...deadEvent(2), payloadDeletedAt: new Date(0) }])
    await one.start(10, { orderedBy: 'id-1' })
    expect(one.told).toEqual([])
    await one.untilDone()
    const at = toLocalDateTime(one.clock.now())
    const notice = { type: 'replay-finished', replayId: 'r-1', state: 'DONE', matched: 2, done: 1, failed: 1, at }
    expect(one.told).toEqual([{ kind: 'order', orderedBy: 'id-1', notice }])
    expect(eventsOf(one).map(({ orderedBy }) => orderedBy)).toEqual([undefined, undefined])
  })

  it('notifies no user if the replay names no account, as in older versions', async () => {
    const one = await world([deadEvent(1)])
    await one.start(10)
    expect(await one.untilDone()).toMatchObject({ state: 'DONE', done: 1 })
    expect(one.told).toEqual([])
  })

  it('is found by the scan without a message', async () => {
    const one = await world([deadEvent(1)])
    one.memory.isQueueDown = true
    await one.start(10)
    one.memory.isQueueDown = false
    await wakeReplays(one.parts)
    expect(one.memory.queue).toEqual([{ hint: { replayId: 'r-1', step: 0 }, delayMs: 0 }])
  })

  it.each([
    '',
    '{}',
    '[]',
    'null',
    '{"replayId":1,"step":0}',
    '{"replayId":"r","step":-1}',
    '{"replayId":"r","step":0.5}',
    '{"replayId":"r","step":0,"idle":-1}',
  ])('is not a valid message: %s', async (message) => {
    const one = await world([])
    await expect(one.steps.receive(message, START)).rejects.toThrow('a message on the replay queue is no hint')
  })

  it('requeues itself 240 times while another worker runs its event, and is then left to the scan', async () => {
    const one = await world([deadEvent(1)])
    const attempt = async () => 'dropped' as const
    const steps = createReplaySteps({ ...one.parts, attempt })
    await one.start(10)
    const outcomes = new Map<string, number>()
    for (let sent = one.memory.queue.shift(); sent; sent = one.memory.queue.shift()) {
      one.clock.advance(sent.delayMs)
      const deadline = new Date(one.clock.now().getTime() + FUNCTION_TIME)
      const outcome = await steps.receive(JSON.stringify(sent.hint), deadline)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
    // The first step finds the event, and then looks at it.
    expect([...outcomes]).toEqual([
      ['passed', 240],
      ['stopped', 1],
    ])
    expect(one.parts.metrics.counted).toEqual([['LoopStopped', {}]])
    expect(one.log.of('replay stopped, the scan will wake it')).toEqual([{ replayId: 'r-1', step: 240, idle: 241 }])
    one.clock.advance(MINUTE)
    await wakeReplays(one.parts)
    expect(one.memory.queue).toEqual([{ hint: { replayId: 'r-1', step: 241 }, delayMs: 0 }])
    expect(await one.untilDone()).toMatchObject({ state: 'DONE', done: 1 })
  })

  it('counts its idle steps from zero as soon as one event is finished', async () => {
    const one = await world([deadEvent(1), deadEvent(2)])
    const attempt: typeof one.parts.attempt = async (hint) =>
      hint.eventId === 'good-1' ? one.parts.attempt(hint) : 'dropped'
    const steps = createReplaySteps({ ...one.parts, attempt })
    await one.start(10)
    const row = one.memory.rows.get('r-1')
    const batch = ['good-1', 'good-2'].map((eventId) => ({ source: 'test', eventId }))
    if (row) one.memory.rows.set('r-1', { ...row, replay: { ...row.replay, batch, isListed: true } })
    const deadline = new Date(one.clock.now().getTime() + FUNCTION_TIME)
    one.memory.queue.splice(0)
    expect(await steps.receive('{"replayId":"r-1","step":0,"idle":240}', deadline)).toBe('passed')
    expect(one.memory.queue).toEqual([{ hint: { replayId: 'r-1', step: 1 }, delayMs: 5000 }])
  })

  it('reports an outage of its queue', async () => {
    const one = await world(Array.from({ length: 30 }, (_, id) => deadEvent(id + 1)))
    await one.start(1)
    const queue = { send: () => Promise.reject(unavailable(new Error('down'))) }
    const steps = createReplaySteps({ ...one.parts, queue })
    const deadline = new Date(one.clock.now().getTime() + FUNCTION_TIME)
    await expect(steps.receive('{"replayId":"r-1","step":0}', deadline)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    one.clock.advance(MINUTE)
    expect(await one.parts.runs.waiting(one.clock.now())).toEqual([{ replayId: 'r-1', step: 1 }])
  })
})

describe('a replay to a destination', () => {
  const processed = (id: number): WebhookEvent => ({ ...deadEvent(id), status: 'PROCESSED', dead: false })

  it('orders the delivery of each event, of any status, and retries none', async () => {
    const events = [processed(1), processed(2), deadEvent(3)]
    const one = await world(events)
    expect(await one.start(10, { destination: 'crm' })).toMatchObject({ matched: 3 })
    const ordered: unknown[] = []
    const deliver: typeof one.parts.deliver = async (key, destination, order) => {
      ordered.push([key.eventId, destination, order])
      return one.parts.deliver(key, destination, order)
    }
    const steps = createReplaySteps({ ...one.parts, deliver })
    await steps.receive('{"replayId":"r-1","step":0}', new Date(one.clock.now().getTime() + FUNCTION_TIME))
    expect(one.replay()).toMatchObject({ state: 'DONE', matched: 3, done: 3, failed: 0 })
    const order = { user: 'admin', reason: 'replay r-1: again', replayId: 'r-1', at: expect.any(Date) }
    expect(ordered).toEqual(['good-3', 'good-2', 'good-1'].map((eventId) => [eventId, 'crm', order]))
    expect(eventsOf(one).filter((event) => timesTakenUp(event) > 0)).toEqual([])
  })

  it('does not count an event that the destination does not receive', async () => {
    const one = await world([deadEvent(1, 'bad'), deadEvent(2, 'bad'), processed(3)])
    await one.start(10, { destination: 'crm' })
    expect(await one.untilDone()).toMatchObject({ matched: 2, done: 1, failed: 1 })
  })

  it('returns later to a delivery under way', async () => {
    const one = await world([processed(1)])
    await one.start(10, { destination: 'crm' })
    const deliver = async () => 'restless' as const
    const deadline = new Date(one.clock.now().getTime() + FUNCTION_TIME)
    expect(await createReplaySteps({ ...one.parts, deliver }).receive('{"replayId":"r-1","step":0}', deadline)).toBe(
      'passed',
    )
    expect(await one.untilDone()).toMatchObject({ state: 'DONE', done: 1 })
  })

  it('starts no more deliveries in a second than its rate, and survives the end of its workers', async () => {
    const one = await world(
      Array.from({ length: 200 }, (_, id) => processed(id + 1)),
      { death: 1 / 50, echo: 0.2 },
    )
    await one.start(20, { destination: 'crm' })
    expect(await one.untilDone()).toMatchObject({ state: 'DONE', matched: 200, done: 200 })
    expect(one.deaths()).toBeGreaterThan(2)
    expect(busiestSecond(one.starts)).toBeLessThanOrEqual(20)
  })
})

describe('P08 many FAILED events replayed by filter at a capped rate, interrupted and resumed', () => {
  it('each effect happens once, and each event is counted once', async () => {
    const matched = inFull(3000, 1000)
    const events = Array.from({ length: matched }, (_, id) => deadEvent(id + 1, id % 10 === 0 ? 'bad' : 'good'))
    const one = await world(events, { death: 1 / 300, echo: 0.2 })
    expect(await one.start(50)).toMatchObject({ matched })
    const counts = { matched, done: 0.9 * matched, failed: 0.1 * matched }
    expect(await one.untilDone()).toMatchObject({ state: 'DONE', ...counts })
    expect(one.deaths()).toBeGreaterThan(10)
    expectEachOnce(one)
    expect(busiestSecond(one.starts)).toBe(50)
  }, 120_000)

  it('in each of several worlds, with crashes at any time', async () => {
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
})
