import type { Buffer } from 'node:buffer'
import { settleAll } from '../runtime/async.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Clock } from '../runtime/time.ts'
import { correlateEvent, spanIdOf, traceparentOf } from '../runtime/trace.ts'
import type { EventKey } from '../webhooks/event.ts'
import { type Announcer, deadDelivery } from '../webhooks/live/announcement.ts'
import { PAYLOAD_DELETED } from '../webhooks/retention/payloads.ts'
import { LONGEST_DELAY, named, schedule } from '../work/hints.ts'
import { createWorker, type Ending, type Lease } from '../work/worker.ts'
import { type Failed, gateOf, type Health, PROBE_PAUSE } from './breaker.ts'
import type { Carrier, DeliveryAnswer } from './carrier.ts'
import type { Circuit } from './circuit.ts'
import {
  carriedTo,
  type DeliveredEvent,
  type Delivery,
  type DeliveryHint,
  type DeliveryQueue,
  type DeliveryResult,
  deliveryHint,
  sentAtOf,
} from './delivery.ts'
import { type Destination, hasOwnAlarms, intervalOf, leaseOf, shownTarget } from './destination.ts'
import { MOST_TRIES, nextDueAt } from './policy.ts'
import type { DeliveryClaimed, DeliveryStore } from './stores.ts'

/** The bodies that are delivered. */
export interface DeliveredEvents {
  /** @throws ServiceError `UNAVAILABLE`, Error for a damaged body */
  find(key: EventKey): Promise<PayloadOptional<DeliveredEvent> | undefined>
}

type Claim = DeliveryHint & Lease
type Claimed = Extract<DeliveryClaimed, { readonly kind: 'claimed' }>
type Unclaimed = Extract<DeliveryClaimed, { readonly kind: 'refused' }>

/** The answer of the destination, when it was there, and how long it took; or why it was not asked. */
type Made = (DeliveryAnswer & Timed) | keyof typeof LOSSES | 'late'

type Timed = Required<Pick<DeliveryResult, 'at' | 'ms'>>
type Tried = Pick<Timed, 'at'> & Partial<Timed>
type Answered = Pick<DeliveryAnswer, 'answer' | 'received'> & Tried
type Delivered = Extract<DeliveryAnswer, { readonly kind: 'delivered' }> & Timed

/** The payload may have been deleted. */
type PayloadOptional<T> = Omit<T, 'payload'> & { readonly payload: Buffer | undefined }

export interface DeliveryParts {
  readonly destination: Destination
  readonly store: DeliveryStore
  readonly events: DeliveredEvents
  readonly circuit: Circuit
  readonly carrier: Carrier
  readonly queue: DeliveryQueue
  /** Ends after so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<unknown>
  readonly clock: Clock
  readonly ids: Ids
  /** From 0 to 1. */
  readonly random: () => number
  readonly deaths: Announcer
  readonly metrics: Metrics
  readonly log: Log
}

/** The result of one hint. */
export type DeliveryOutcome =
  | 'delivered'
  | 'failed'
  | 'dead'
  | 'held'
  | 'postponed'
  | 'stopped'
  | 'released'
  | 'dropped'

/** How often in a row an early hint is sent on; after that the scan finds the delivery. */
const MOST_HOPS = 5

/** Executes the deliveries of one destination. */
export interface Deliveries {
  /**
   * Executes the delivery that a hint names, if it is still due and nothing holds the destination.
   * @throws ServiceError `UNAVAILABLE`
   */
  attempt(hint: DeliveryHint): Promise<DeliveryOutcome>
}

export function createDeliveries(parts: DeliveryParts): Deliveries {
  const { destination, store, events, circuit, carrier, queue, wait, clock, ids, random, deaths, metrics, log } = parts
  const { name } = destination
  const interval = intervalOf(destination)

  const worker = createWorker<DeliveryHint, Claimed, Unclaimed, Made, DeliveryOutcome>({
    queue,
    lease: leaseOf(destination),
    mostHops: MOST_HOPS,
    clock,
    ids,
    log,
    claim: (claim) => store.claim(claim),
    release: (claim) => store.release(claim, clock.now()),
    run: (claim, { delivery }) => call(claim, delivery),

    async end(made, claim, { delivery }) {
      if (made === 'late') return abandon(claim)
      if (typeof made === 'string') return end(claim, delivery, { at: clock.now(), answer: LOSSES[made] })
      if (made.kind === 'delivered') return succeed(claim, delivery, made)
      if (made.kind === 'failed') return fail(claim, delivery, made)
      log.error('a delivery could not be made', { ...named(claim), cause: made.cause })
      return fail(claim, delivery, { kind: 'failed', answer: 'could not be sent', at: clock.now() })
    },

    async refused(hint, { delivery }) {
      const until = delivery?.attempts === hint.n ? waitsUntil(delivery) : undefined
      return until ? later(hint, until) : 'dropped'
    },
  })

  async function attempt({ isProbe, ...rest }: DeliveryHint): Promise<DeliveryOutcome> {
    const health = await circuit.read()
    // A probe that arrives after the circuit has closed is a try like any other.
    const hint: DeliveryHint = isProbe && health.state === 'OPEN' ? { ...rest, isProbe } : rest
    const gate = gateOf(health, isProbe === true, clock.now())
    if (gate.kind === 'held') return hold(hint, gate.until)
    if (gate.kind === 'shut') return 'held'
    const [outcome] = await settleAll([worker.attempt(hint), interval > 0 ? wait(interval) : undefined])
    return outcome
  }

  async function hold(hint: DeliveryHint, until: Date): Promise<DeliveryOutcome> {
    const next = later(hint, until)
    return next instanceof Date ? worker.postpone(hint, next) : next
  }

  /** The scan starts the next probe, and finds what is due later than the longest delay of a message. */
  function later({ isProbe }: DeliveryHint, until: Date): Date | 'stopped' {
    return isProbe || until.getTime() - clock.now().getTime() > LONGEST_DELAY ? 'stopped' : until
  }

  /** @throws ServiceError `UNAVAILABLE` */
  async function call(claim: Claim, delivery: Delivery): Promise<Made> {
    const { attempts, replayId } = delivery
    if (attempts > MOST_TRIES) return 'tried'
    const event = carriedTo(delivery, claim) ?? (await events.find(claim))
    if (event === undefined) return 'gone'
    if (!hasPayload(event)) return 'deleted'
    if (isLate(claim)) return 'late'
    const spanId = spanIdOf(claim.owner)
    correlateEvent(claim, spanId)
    const traceparent = traceparentOf(claim, spanId)
    const at = clock.now()
    const answer = await carrier.carry({
      event,
      attempt: attempts,
      replayId,
      sentAt: sentAtOf(delivery),
      traceparent,
      at,
    })
    const ended = clock.now()
    return { ...answer, at: ended, ms: ended.getTime() - at.getTime() }
  }

  /** A process may have been frozen for so long that its call would outlive its lease. */
  function isLate({ leaseUntil }: Claim): boolean {
    return clock.now().getTime() + destination.timeout > leaseUntil.getTime()
  }

  async function abandon(claim: Claim): Promise<DeliveryOutcome> {
    await store.release(claim, clock.now())
    return 'released'
  }

  async function succeed(claim: Claim, delivery: Delivery, done: Delivered): Promise<DeliveryOutcome> {
    const ending = await store.deliver(claim, delivery, { ...resultOf(delivery, done), reason: done.reason })
    await reported(circuit.succeeded(done.answer, done.at))
    if (done.isUngrouped) metrics.count('GroupMissing', { destination: name })
    const outcome = counted(ending, 'delivered')
    if (outcome === 'delivered' && arrivedLate(delivery, done.at)) metrics.count('DeliveredLate')
    return outcome
  }

  async function fail(claim: Claim, delivery: Delivery, failed: Failed & Tried): Promise<DeliveryOutcome> {
    const { at } = failed
    const result = resultOf(delivery, failed)
    log.warn('a delivery failed', { ...named(claim), attempts: delivery.attempts, answer: failed.answer })
    if (failed.isRefused) {
      metrics.count('MessageRefused')
      return end(claim, delivery, result)
    }
    const health = await reported(circuit.failed({ ...failed, source: claim.source }, at))
    const dueAt = nextDueAt(delivery, destination, at, failed.retryAfter ?? 0, random())
    if (dueAt === undefined) return end(claim, delivery, result)
    if (claim.isProbe) return backInLine(claim, health, at)
    const ending = await store.fail(claim, delivery, { ...result, dueAt })
    if (ending.kind === 'written' && health?.state !== 'OPEN' && health?.state !== 'DISABLED')
      await wakeAt({ ...deliveryHint({ ...delivery, destination: name }), carried: claim.carried }, dueAt)
    return counted(ending, 'failed')
  }

  /** A probe does not count as a try. The next probe is for another delivery, in case only this one fails. */
  async function backInLine(claim: Claim, health: Health | undefined, at: Date): Promise<DeliveryOutcome> {
    const next = health?.probeAt ?? at
    return counted(await store.release(claim, new Date(next.getTime() + PROBE_PAUSE)), 'failed')
  }

  async function end(claim: Claim, delivery: Delivery, result: DeliveryResult): Promise<DeliveryOutcome> {
    const outcome = counted(await store.fail(claim, delivery, { ...result, dueAt: undefined }), 'dead')
    if (outcome === 'dead') deaths.announce(deadDelivery(claim, result.answer, result.at))
    return outcome
  }

  function resultOf({ attempts: attempt, replayId }: Delivery, { at, ms, answer, received }: Answered): DeliveryResult {
    return { at, answer, attempt, replayId, ms, url: shownTarget(destination.target), received }
  }

  /** The result of a worker that lost its lease is not counted: the new owner continues. */
  function counted({ kind }: Ending, outcome: keyof typeof COUNTERS): DeliveryOutcome {
    if (kind === 'lost') return 'dropped'
    metrics.count(COUNTERS[outcome], { destination: name }, outcome === 'dead' && hasOwnAlarms(destination))
    return outcome
  }

  /** A report to the circuit may fail, and is then logged: the result of the delivery does not depend on it. */
  async function reported<T>(report: Promise<T>): Promise<T | undefined> {
    try {
      return await report
    } catch (cause) {
      log.warn('the health of a destination is not noted', { destination: name, cause })
      return undefined
    }
  }

  /** The scan finds a delivery that is due later than the longest delay of a message. */
  async function wakeAt(hint: DeliveryHint, dueAt: Date): Promise<void> {
    const delay = dueAt.getTime() - clock.now().getTime()
    if (delay <= LONGEST_DELAY) await schedule(queue, log, hint, delay)
  }

  return { attempt }
}

/** Why nothing is delivered any more. */
const LOSSES = { gone: 'the event is gone', deleted: PAYLOAD_DELETED, tried: `tried ${MOST_TRIES} times` } as const

function hasPayload(event: PayloadOptional<DeliveredEvent>): event is DeliveredEvent {
  return event.payload !== undefined
}

/** When another worker can claim it: at its due time, or after the lease of an owner that may have crashed. */
function waitsUntil({ status, dueAt, leaseUntil }: Delivery): Date | undefined {
  return status === 'PENDING' ? dueAt : status === 'SENDING' ? leaseUntil : undefined
}

/** Of the objective: docs/runbook.md. */
const LATE_MS = 300_000

/** Whether it took longer since the event, or since an operator ordered it. */
function arrivedLate({ receivedAt, orderedAt = receivedAt }: Delivery, at: Date): boolean {
  return at.getTime() - orderedAt.getTime() > LATE_MS
}

const COUNTERS = { delivered: 'Delivered', failed: 'DeliveryFailed', dead: 'DeadDeliveries' } as const
