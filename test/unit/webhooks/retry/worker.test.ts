import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { invalid, type ServiceError, unavailable } from '../../../../lib/errors.ts'
import { ProcessingError } from '../../../../lib/webhooks/apply.ts'
import { logAudit } from '../../../../lib/webhooks/audit.ts'
import type { RetryHint, WebhookEvent } from '../../../../lib/webhooks/event.ts'
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import type { RetryPolicy } from '../../../../lib/webhooks/retry/policy.ts'
import { scanEvents } from '../../../../lib/webhooks/retry/scan.ts'
import { createRetries } from '../../../../lib/webhooks/retry/worker.ts'
import type { EventSource, Plan } from '../../../../lib/webhooks/source.ts'
import { providerSource } from '../../../../lib/webhooks/sources/catalog.ts'
import { paymentSource } from '../../../../lib/webhooks/sources/payment.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { countingIds } from '../../../support/fakes/ids.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { MemoryStore } from '../../../support/fakes/memory-store.ts'
import { recordingMetrics } from '../../../support/fakes/metrics.ts'
import { memoryOperatorStore } from '../../../support/fakes/operator-store.ts'
import { failedEvent, MINUTE, PAYMENT, POLICY, sourceOf } from '../../../support/fakes/webhooks.ts'

/** In minutes. */
const DAY = 24 * 60
const DAILY: RetryPolicy = { ...POLICY, delays: [DAY * MINUTE] }

const HINT: RetryHint = { source: 'test', eventId: 'event-1', n: 1 }
const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE)

/** The failed event as the store has it. */
const stored = (changes: Partial<WebhookEvent> = {}) => ({ ...failedEvent(changes), endsAt: expect.any(Date) })

const well = (): Plan => ({ outcome: 'well' })
const broken = (): Plan => {
  throw new ProcessingError('a rule was broken')
}
/** Leaves the row as a process does that dies: the right to run stays taken until the lease is over. */
const dying = (store: MemoryStore): Plan => {
  store.isStoreDown = true
  return well()
}

/** What a run did cannot be written. */
function cutOff({ retryStore }: MemoryStore): void {
  retryStore.finish = async () => {
    throw unavailable(new Error('throttled'))
  }
}

interface Parts {
  readonly others?: readonly EventSource[]
  readonly policy?: RetryPolicy
}

async function setUp(
  plan: (store: MemoryStore) => Plan,
  event = failedEvent(),
  { others = [], policy = POLICY }: Parts = {},
) {
  const store = new MemoryStore()
  const clock = fixedClock()
  const log = recordingLog()
  await store.eventStore.insert(event, {})
  let runs = 0
  const counting = sourceOf(() => {
    runs += 1
    return plan(store)
  })
  const worker = createRetries({
    store: store.retryStore,
    queue: store.retryQueue,
    sourceOf: (name) => [counting, ...others].find((source) => source.name === name),
    policy,
    clock,
    ids: countingIds(),
    audit: logAudit(log),
    log,
  })
  const retries = {
    attempt: (hint: RetryHint) =>
      worker.attempt(hint).finally(() => {
        store.isStoreDown = false
      }),
  }
  const audit = logAudit(log)
  const parts = { store: store.retryStore, due: store.dueEvents, queue: store.retryQueue, policy, clock, audit, log }
  const sweepParts = { ...parts, metrics: recordingMetrics() }
  return {
    store,
    clock,
    log,
    retries,
    sweepParts,
    find: () => store.find(event),
    runs: () => runs,
  }
}

describe('a scheduled retry', () => {
  it('that ends without an error leads to PROCESSED', async () => {
    const { store, clock, log, retries, find } = await setUp(well)
    clock.advance(5 * MINUTE)
    expect(await retries.attempt(HINT)).toBe('processed')
    expect(log.of('audit')).toEqual([
      { decision: 'retried', ...HINT },
      { decision: 'processed', ...HINT },
    ])
    expect(find()).toMatchObject({
      status: 'PROCESSED',
      processedAt: at(5),
      attempts: 1,
      dead: false,
      outcome: 'well',
      history: [{ status: 'FAILED' }, { at: at(5), status: 'RETRY' }, { at: at(5), status: 'PROCESSED', by: 'retry' }],
    })
    expect(find()).toMatchObject({ errorMessage: undefined, nextRetryAt: undefined, leaseUntil: undefined })
    expect(store.queue).toEqual([])
  })

  it('that throws leads to FAILED with errorMessage and the next retry', async () => {
    const { store, clock, retries, find } = await setUp(broken)
    clock.advance(6 * MINUTE)
    expect(await retries.attempt(HINT)).toBe('failed')
    expect(find()).toMatchObject({
      status: 'FAILED',
      errorMessage: 'a rule was broken',
      attempts: 1,
      nextRetryAt: at(16),
      dead: false,
    })
    expect(store.queue).toEqual([{ hint: { ...HINT, n: 2 }, delayMs: 10 * MINUTE }])
  })

  it('that an operator orders a week later keeps the usual time between the runs', async () => {
    const { store, clock, retries, find } = await setUp(broken, failedEvent({ attempts: 3, dead: true }))
    const week = 7 * DAY
    clock.advance(week * MINUTE)
    await memoryOperatorStore(store).reset(HINT, { at: clock.now(), user: 'admin' })
    expect(await retries.attempt(HINT)).toBe('failed')
    expect(find()?.nextRetryAt).toEqual(at(week + 15))
    clock.advance(15 * MINUTE)
    expect(await retries.attempt({ ...HINT, n: 2 })).toBe('failed')
    expect(find()?.nextRetryAt).toEqual(at(week + 60))
  })

  it('of an unreadable event fails like its intake, even if an operator ordered it', async () => {
    const unreadable = { ...sourceOf(well, 'demo'), read: providerSource('demo', PROVIDERS.generic).read }
    const body = { source: 'demo', payload: Buffer.from('{'), dead: true, nextRetryAt: undefined }
    const { store, clock, retries, find } = await setUp(well, failedEvent(body), { others: [unreadable] })
    await memoryOperatorStore(store).reset({ ...HINT, source: 'demo' }, { at: clock.now(), user: 'admin' })
    expect(await retries.attempt({ ...HINT, source: 'demo' })).toBe('failed')
    expect(find()?.errorMessage).toBe('Validation failed: body must be JSON')
  })

  it('that throws at the last attempt leads to FAILED permanently', async () => {
    const { store, clock, retries, find } = await setUp(broken, failedEvent({ attempts: 2 }))
    clock.advance(60 * MINUTE)
    expect(await retries.attempt({ ...HINT, n: 3 })).toBe('dead')
    expect(find()).toMatchObject({ status: 'FAILED', dead: true, attempts: 3, nextRetryAt: undefined })
    expect(store.queue).toEqual([])
  })

  it('whose delay has not passed is only requeued', async () => {
    const { store, clock, retries, find, runs } = await setUp(well)
    clock.advance(5 * MINUTE - 1)
    expect(await retries.attempt(HINT)).toBe('postponed')
    expect(store.queue).toEqual([{ hint: { ...HINT, hops: 1 }, delayMs: 1 }])
    expect(find()).toEqual(stored())
    expect(runs()).toBe(0)
  })

  it('that is requeued more often than its schedule needs is stopped, and left to the scan', async () => {
    const { store, clock, log, retries, sweepParts } = await setUp(well, failedEvent({ nextRetryAt: at(DAY) }), {
      policy: DAILY,
    })
    const hint = { ...HINT, hops: 101 }
    expect(await retries.attempt(hint)).toBe('stopped')
    expect(store.queue).toEqual([])
    expect(log.of('retry hint stopped, the scan will find the event')).toEqual([hint])
    clock.advance(DAY * MINUTE)
    expect(await scanEvents(sweepParts, at(2 * DAY))).toMatchObject({ sent: 1 })
    expect(store.queue).toEqual([{ hint: HINT, delayMs: 0 }])
  })

  it('with the attempt count at the maximum is saved as FAILED without reprocessing', async () => {
    const { clock, retries, find, runs } = await setUp(well, failedEvent({ attempts: 3 }))
    clock.advance(60 * MINUTE)
    expect(await retries.attempt({ ...HINT, n: 4 })).toBe('dead')
    expect(find()).toMatchObject({ status: 'FAILED', dead: true, attempts: 3, errorMessage: 'unexpected error' })
    expect(runs()).toBe(0)
  })

  it.each<[string, RetryHint]>([
    ['a future attempt', { ...HINT, n: 3 }],
    ['an event that does not exist', { ...HINT, eventId: 'event-2', n: 2 }],
  ])('Q11 of a stale hint is dropped: %s', async (_, hint) => {
    const { store, clock, retries, find, runs } = await setUp(well, failedEvent({ attempts: 1 }))
    clock.advance(60 * MINUTE)
    expect(await retries.attempt(hint)).toBe('dropped')
    expect([find(), store.queue, runs()]).toEqual([stored({ attempts: 1 }), [], 0])
  })

  it('P05 runs once for any number of parallel hints', async () => {
    const { clock, retries, runs } = await setUp(well)
    clock.advance(5 * MINUTE)
    const attempts = await Promise.all(Array.from({ length: 5 }, () => retries.attempt(HINT)))
    expect(attempts.toSorted()).toEqual(['dropped', 'dropped', 'dropped', 'dropped', 'processed'])
    expect(runs()).toBe(1)
  })

  it('Q05 that an outage ends uses up no attempt: it is FAILED and due at once', async () => {
    const { store, clock, retries, find } = await setUp(well)
    cutOff(store)
    clock.advance(6 * MINUTE)
    for (let time = 0; time < 10; time++) {
      await expect(retries.attempt(HINT)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    }
    expect(find()).toMatchObject({ status: 'FAILED', attempts: 0, nextRetryAt: at(6), dead: false })
    expect(find()).toMatchObject({ errorMessage: 'unexpected error', leaseUntil: undefined })
  })

  it('that cannot be released is logged, and its lease expires', async () => {
    const { store, clock, log, retries, find } = await setUp(well)
    cutOff(store)
    clock.advance(6 * MINUTE)
    const cause = new Error('throttled')
    store.retryStore.release = () => Promise.reject(cause)
    await expect(retries.attempt(HINT)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(log.of('attempt not given back, its lease ends it')).toEqual([{ source: 'test', eventId: 'event-1', cause }])
    expect(find()).toMatchObject({ status: 'RETRY', attempts: 1 })
  })

  it.each([
    ['finish', well, 0],
    ['fail', broken, 0],
    ['exhaust', well, 3],
  ] as const)('is dropped, without a hint, if another run was first to %s it', async (move, plan, attempts) => {
    const { store, clock, log, retries } = await setUp(plan, failedEvent({ attempts }))
    clock.advance(5 * MINUTE)
    store.retryStore[move] = async () => ({ kind: 'lost' })
    expect(await retries.attempt({ ...HINT, n: attempts + 1 })).toBe('dropped')
    expect(log.of('audit').at(-1)).toMatchObject({ decision: 'dropped' })
    expect(store.queue).toEqual([])
  })

  it('whose claim got no answer is released', async () => {
    const { store, clock, retries, find } = await setUp(well)
    clock.advance(5 * MINUTE)
    const { claim } = store.retryStore
    store.retryStore.claim = async (wanted) => {
      await claim(wanted)
      throw unavailable(new Error('answer lost'))
    }
    await expect(retries.attempt(HINT)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    store.retryStore.claim = claim
    expect(find()).toMatchObject({ status: 'FAILED', attempts: 0 })
    expect(await retries.attempt(HINT)).toBe('processed')
  })

  it('whose failure cannot be written is not released, because the handler has run', async () => {
    const { store, clock, retries, find } = await setUp(broken)
    clock.advance(5 * MINUTE)
    store.retryStore.fail = async () => {
      throw unavailable(new Error('throttled'))
    }
    await expect(retries.attempt(HINT)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(find()).toMatchObject({ status: 'RETRY', attempts: 1 })
  })

  it.each<[string, ServiceError, string]>([
    ['as if it were an outage', unavailable(new Error('s3cret')), 'unexpected error'],
    ['by a rule', invalid([{ path: ['price'], message: 'is required' }]), 'Validation failed: price is required'],
  ])('W40 whose handler refuses %s fails, and uses up its attempt', async (_, refusal, errorMessage) => {
    const { clock, retries, find } = await setUp(() => {
      throw refusal
    })
    clock.advance(5 * MINUTE)
    expect(await retries.attempt(HINT)).toBe('failed')
    expect(find()).toMatchObject({ status: 'FAILED', attempts: 1, errorMessage })
  })

  it('leaves the event FAILED and due when the queue is down', async () => {
    const { store, clock, log, retries, find } = await setUp(broken)
    clock.advance(5 * MINUTE)
    store.isQueueDown = true
    await retries.attempt(HINT).catch(() => undefined)
    expect(log.of('hint not sent, the scan will find the row')).toEqual([
      { source: 'test', eventId: 'event-1', cause: expect.any(Error) },
    ])
    expect(find()).toMatchObject({ status: 'FAILED', attempts: 1, nextRetryAt: at(15) })
  })

  it('of a removed source leads to FAILED without a detail', async () => {
    const { clock, log, retries, find } = await setUp(well, failedEvent({ source: 'gone' }))
    clock.advance(5 * MINUTE)
    expect(await retries.attempt({ ...HINT, source: 'gone' })).toBe('failed')
    expect(log.of('webhook retry failed')).toEqual([
      { source: 'gone', eventId: 'event-1', attempts: 1, cause: new Error('no source of that name') },
    ])
    expect(find()).toMatchObject({ status: 'FAILED', errorMessage: 'unexpected error' })
  })

  it('reads from the stored bytes the same as the intake', async () => {
    const payload = Buffer.from(JSON.stringify(PAYMENT))
    const { store, clock, retries, find } = await setUp(well, failedEvent({ source: 'payment', payload }), {
      others: [paymentSource],
    })
    clock.advance(5 * MINUTE)
    expect(await retries.attempt({ ...HINT, source: 'payment' })).toBe('processed')
    expect(find()?.status).toBe('PROCESSED')
    expect(store.payments.get('transaction-1')).toMatchObject({ status: 'COMPLETED', amount: '10.5' })
  })

  it('of stored bytes that are no longer valid leads to FAILED', async () => {
    const { clock, retries, find } = await setUp(well, failedEvent({ source: 'payment' }), { others: [paymentSource] })
    clock.advance(5 * MINUTE)
    expect(await retries.attempt({ ...HINT, source: 'payment' })).toBe('failed')
    expect(find()?.errorMessage).toBe('payload is not valid any more')
  })
})

describe('a run that never ends', () => {
  it('Q03 is FAILED permanently after the maximum of attempts, each of them charged', async () => {
    const { store, clock, retries, sweepParts, find, runs } = await setUp(dying)
    for (let minute = 0; minute < 240; minute++) {
      clock.advance(MINUTE)
      await scanEvents(sweepParts, at(1_000_000))
      for (const { hint } of store.queue.splice(0)) await retries.attempt(hint).catch(() => undefined)
    }
    expect(runs()).toBe(3)
    expect(find()).toMatchObject({
      status: 'FAILED',
      dead: true,
      attempts: 3,
      errorMessage: 'the last run did not end in time',
    })
  })
})

describe('a message of the retry queue', () => {
  function receiving(claim: () => Promise<never>) {
    const store = new MemoryStore()
    const log = recordingLog()
    const worker = createRetries({
      store: { ...store.retryStore, claim, release: async () => ({ kind: 'written' }) },
      queue: store.retryQueue,
      sourceOf: () => undefined,
      policy: POLICY,
      clock: fixedClock(),
      ids: countingIds(),
      audit: logAudit(log),
      log,
    })
    return { worker, log }
  }

  it.each([
    ['is not a hint', 'nonsense', expect.any(Error)],
    ['cannot be processed now', JSON.stringify(HINT), expect.objectContaining({ code: 'UNAVAILABLE' })],
  ])('stays there when it %s, and the log contains the reason', async (_, message, cause) => {
    const { worker, log } = receiving(() => Promise.reject(unavailable(new Error('down'))))
    await expect(worker.receive(message)).rejects.toEqual(cause)
    expect(log.of('a message stays on the retry queue')).toEqual([{ cause }])
  })
})

describe('deferred work', () => {
  const FIRST: RetryHint = { ...HINT, n: 0 }
  const received = () =>
    failedEvent({
      status: 'RECEIVED',
      nextRetryAt: undefined,
      errorMessage: undefined,
      history: [{ at: START, status: 'RECEIVED', by: 'intake' }],
    })
  const movesOf = (event: WebhookEvent | undefined) => event?.history.map(({ status, by }) => `${status} ${by}`)

  it('is run from the queue: RECEIVED → PROCESSING → PROCESSED, its outcome on the record, no attempt', async () => {
    const { store, retries, find } = await setUp(well, received())
    expect(await retries.attempt(FIRST)).toBe('processed')
    expect(find()).toMatchObject({ status: 'PROCESSED', attempts: 0, outcome: 'well', processedAt: START })
    expect(movesOf(find())).toEqual(['RECEIVED intake', 'PROCESSING worker', 'PROCESSED worker'])
    expect(store.queue).toEqual([])
  })

  it('that throws is FAILED, its first retry at receivedAt + 5 minutes', async () => {
    const { store, clock, retries, find } = await setUp(broken, received())
    expect(await retries.attempt(FIRST)).toBe('failed')
    expect(find()).toMatchObject({
      status: 'FAILED',
      attempts: 0,
      nextRetryAt: at(5),
      errorMessage: 'a rule was broken',
    })
    expect(store.queue).toEqual([{ hint: HINT, delayMs: 5 * MINUTE }])
    clock.advance(5 * MINUTE)
    expect(await retries.attempt(HINT)).toBe('failed')
    expect(find()).toMatchObject({ attempts: 1, nextRetryAt: at(15) })
  })

  it('that an outage ends is RECEIVED as before, any number of times', async () => {
    const { store, retries, find } = await setUp(well, received())
    cutOff(store)
    for (let time = 0; time < 5; time++) {
      await expect(retries.attempt(FIRST)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    }
    expect(find()).toMatchObject({ status: 'RECEIVED', attempts: 0, leaseUntil: undefined })
  })
})
