import type { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { ServiceError } from '../../errors.ts'
import type { Ids } from '../../runtime/ids.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/time.ts'
import { correlateEvent } from '../../runtime/trace.ts'
import { type HintQueue, named, readQueued, received, schedule } from '../../work/hints.ts'
import { createWorker, type Ending, type Lease } from '../../work/worker.ts'
import { applyEffects, type Conflict, type Effects, planOf, reasonOf, UNEXPECTED } from '../apply.ts'
import type { Audit } from '../audit.ts'
import { type EventHead, type EventKey, hintOf, type RetryHint, runsOf } from '../event.ts'
import type { BatchItem } from '../identity.ts'
import { ITEMS_AT_ONCE } from '../place.ts'
import type { EventSource } from '../source.ts'
import { trustStored } from '../verify.ts'
import { maximumHops, nextRetryAt, type RetryPolicy } from './policy.ts'

const count = z.int().check(z.gte(0))
const retryHint = z.object({ source: z.string(), eventId: z.string(), n: count, hops: z.optional(count) })

/** @throws Error for a message that is no hint; the error does not contain its text */
export function readHint(message: string): RetryHint {
  return readQueued(retryHint, message, 'a message on the retry queue is no hint')
}

/** The right to make one run of an event. */
export interface Run extends EventKey, Lease {}

export interface Claim extends Run {
  readonly maxAttempts: number
}

interface Failure {
  readonly at: Date
  readonly errorMessage: string
  /** Undefined when no attempt is left. */
  readonly nextRetryAt: Date | undefined
}

interface Claimed {
  readonly kind: 'claimed'
  readonly event: EventHead
  /** The body as received. @throws ServiceError `UNAVAILABLE`, Error for a damaged body */
  readonly body: () => Promise<Buffer>
}

interface Unclaimed {
  readonly kind: 'refused'
  readonly event: EventHead | undefined
}

export type ClaimResult = Claimed | Unclaimed

/** The state changes of an event, each one conditional write (retries-12). All throw ServiceError `UNAVAILABLE`. */
export interface RetryStore {
  /**
   * RECEIVED → PROCESSING; FAILED and due, or PROCESSING or RETRY with an expired lease → RETRY with one attempt more.
   * The claim charges the attempt, so that a run that kills its process counts.
   */
  claim(claim: Claim): Promise<ClaimResult>
  /** PROCESSING or RETRY of this owner → PROCESSED, together with the effects. */
  finish(run: Run, event: EventHead, effects: Effects, at: Date): Promise<Ending | Conflict>
  /** Writes the elements of a batch; those that are there already stay as they are. */
  writeItems(event: EventHead, items: readonly BatchItem[]): Promise<void>
  /** PROCESSING or RETRY of this owner → FAILED. */
  fail(run: Run, event: EventHead, failure: Failure): Promise<Ending>
  /**
   * PROCESSING of this owner → RECEIVED, RETRY of this owner → FAILED and due, with the attempt given back.
   * @param event the event as claimed, if known
   */
  release(run: Run, event: EventHead | undefined, at: Date): Promise<Ending>
  /**
   * RECEIVED or FAILED, or PROCESSING or RETRY with an expired lease, with the same number of runs as the hint → FAILED
   * for good.
   * @returns also the event, if it was written
   */
  exhaust(hint: RetryHint, now: Date, errorMessage: string): Promise<Ending & { readonly event?: EventHead }>
}

export interface RetryParts {
  readonly store: RetryStore
  readonly queue: HintQueue<RetryHint>
  readonly sourceOf: (name: string) => EventSource | undefined
  readonly policy: RetryPolicy
  readonly clock: Clock
  readonly ids: Ids
  readonly audit: Audit
  readonly log: Log
}

/** The result of one hint. */
export type HintOutcome = 'processed' | 'failed' | 'dead' | 'postponed' | 'dropped' | 'stopped'

export interface Retries {
  attempt(hint: RetryHint): Promise<HintOutcome>
  /**
   * Handles a message of the retry queue.
   * @throws ServiceError `UNAVAILABLE`, or Error for a message that is no hint: the message must stay on the queue
   */
  receive(message: string): Promise<HintOutcome>
}

/** Runs the event that a hint names, if it is still due. An error that the handler did not cause uses up no attempt. */
export function createRetries({ store, queue, sourceOf, policy, clock, ids, audit, log }: RetryParts): Retries {
  const { maxAttempts } = policy
  const worker = createWorker<RetryHint, Claimed, Unclaimed, Ending, HintOutcome>({
    queue,
    lease: policy.lease,
    mostHops: maximumHops(policy),
    clock,
    ids,
    log,

    async claim(claim) {
      const result = await store.claim({ ...claim, maxAttempts })
      if (result.kind === 'claimed') audit.decided('retried', claim)
      return result
    },

    release: (claim, claimed) => store.release(claim, claimed?.event, clock.now()),

    async run(claim, { event, body }) {
      const source = sourceOf(event.source)
      if (!source) throw new Error('no source of that name')
      const reading = source.read({ body: trustStored(await body()), headers: event.headers })
      const { items = [] } = reading
      // A small batch has its elements since the intake.
      if (items.length > ITEMS_AT_ONCE) await store.writeItems(event, items)
      return applyEffects(claim, planOf(reading), log, (effects) => store.finish(claim, event, effects, clock.now()))
    },

    async end(made, claim, { event }) {
      if (made.kind !== 'error') return made.kind === 'written' ? 'processed' : 'dropped'
      const { cause } = made
      const at = clock.now()
      const due = nextRetryAt(event, claim.now, policy)
      log.error('webhook retry failed', { ...named(event), attempts: event.attempts, cause })
      const ending = await store.fail(claim, event, { at, errorMessage: failureOf(cause), nextRetryAt: due })
      if (ending.kind === 'lost') return 'dropped'
      if (due === undefined) return 'dead'
      await schedule(queue, log, hintOf(event), due.getTime() - at.getTime())
      return 'failed'
    },

    async refused(hint, { event }) {
      const now = clock.now()
      const step = decideHint(event, hint, now, maxAttempts)
      if (step === 'drop') return 'dropped'
      if (step === 'postpone') return event?.nextRetryAt ?? now
      const errorMessage = event?.status === 'FAILED' ? event.errorMessage : undefined
      const { kind } = await store.exhaust(hint, now, errorMessage ?? 'the last run did not end in time')
      return kind === 'written' ? 'dead' : 'dropped'
    },
  })

  async function attempt(hint: RetryHint): Promise<HintOutcome> {
    const outcome = await worker.attempt(hint)
    if (outcome === 'stopped') log.error('retry hint stopped, the scan will find the event', { ...hint })
    audit.decided(outcome, hint)
    return outcome
  }

  return {
    attempt,
    receive: (message) =>
      received('retry queue', log, async () => {
        const hint = readHint(message)
        correlateEvent(hint)
        return attempt(hint)
      }),
  }
}

function failureOf(error: unknown): string {
  if (error instanceof ServiceError) return error.is('VALIDATION_FAILED') ? 'payload is not valid any more' : UNEXPECTED
  return reasonOf(error)
}

/** What a refused claim means for the hint that asked for it. */
export type HintDecision = 'postpone' | 'exhaust' | 'drop'

/**
 * Decides on a row whose claim was refused: it is not due yet, out of attempts, or settled by another worker
 * (retries-14, retries-19).
 */
export function decideHint(
  event: EventHead | undefined,
  { n }: RetryHint,
  now: Date,
  maxAttempts: number,
): HintDecision {
  if (event === undefined || runsOf(event) !== n) return 'drop'
  const { status, attempts, nextRetryAt: due } = event
  const isWaiting = status === 'FAILED' && due !== undefined
  if (attempts >= maxAttempts) return isWaiting || isAbandoned(event, now) ? 'exhaust' : 'drop'
  return isWaiting && due > now ? 'postpone' : 'drop'
}

function isAbandoned({ status, leaseUntil }: EventHead, now: Date): boolean {
  const isRunning = status === 'PROCESSING' || status === 'RETRY'
  return isRunning && leaseUntil !== undefined && leaseUntil < now
}
