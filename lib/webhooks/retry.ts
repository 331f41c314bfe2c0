import { ServiceError } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Ids } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import type { Audit } from './audit.ts'
import type { EventKey, RetryHint, WebhookEvent } from './event.ts'
import { readHint } from './hint.ts'
import { nextRetryAt, type RetryPolicy } from './policy.ts'
import { type RetryQueue, scheduleRetry } from './schedule.ts'
import { type Blocked, type Effects, reasonOf, settle } from './settle.ts'
import type { EventSource } from './source.ts'
import { acceptUnverified } from './verify.ts'

/** The right to run one retry: whoever owns it may end it, until the lease is over. */
export interface Claim extends EventKey {
  readonly owner: string
  readonly now: Date
  readonly leaseUntil: Date
  readonly maxAttempts: number
  /** The number of attempts that the claim expects to find. */
  readonly n: number
}

interface Failure {
  readonly at: Date
  readonly errorMessage: string
  /** Undefined when no attempt is left. */
  readonly nextRetryAt: Date | undefined
}

export type ClaimResult =
  | { readonly kind: 'claimed'; readonly event: WebhookEvent }
  | { readonly kind: 'refused'; readonly event: WebhookEvent | undefined }

export type Ending = { readonly kind: 'written' } | { readonly kind: 'lost' }

/** The moves of spec 3.1, each one conditional write. All throw ServiceError `UNAVAILABLE`. */
export interface RetryStore {
  /** FAILED and due, or RETRY with an expired lease → RETRY with one attempt more; charged here, so that a run that kills its process counts. */
  claim(claim: Claim): Promise<ClaimResult>
  /** RETRY of this owner → PROCESSED, together with the effects. */
  finish(claim: Claim, event: WebhookEvent, effects: Effects, at: Date): Promise<Ending | Blocked>
  /** RETRY of this owner → FAILED. */
  fail(claim: Claim, failure: Failure): Promise<Ending>
  /** FAILED, or RETRY with an expired lease, that still stands at the hint's attempts → FAILED for good. */
  exhaust(hint: RetryHint, now: Date, errorMessage: string): Promise<Ending>
}

export interface RetryParts {
  readonly store: RetryStore
  readonly queue: RetryQueue
  readonly sources: ReadonlyMap<string, EventSource>
  readonly policy: RetryPolicy
  readonly clock: Clock
  readonly ids: Ids
  readonly audit: Audit
  readonly log: Log
}

/** What became of one hint. */
export type Attempt = 'processed' | 'failed' | 'dead' | 'postponed' | 'dropped'

/** What a refused claim means for the hint that asked for it. */
export type Step = 'postpone' | 'exhaust' | 'drop'

/** Spec 3.1 for a row that could not be claimed: not yet due, out of attempts, or settled by somebody else. */
export function nextStep(event: WebhookEvent | undefined, { n }: RetryHint, now: Date, maxAttempts: number): Step {
  if (event === undefined || event.attempts !== n) return 'drop'
  const { status, nextRetryAt: due, leaseUntil } = event
  const isWaiting = status === 'FAILED' && due !== undefined
  const isAbandoned = status === 'RETRY' && leaseUntil !== undefined && leaseUntil < now
  if (n >= maxAttempts) return isWaiting || isAbandoned ? 'exhaust' : 'drop'
  return isWaiting && due > now ? 'postpone' : 'drop'
}

/** Runs what a hint points at, if it is still due; an error that is no failure of the handler leaves the row as it was. */
export function createRetries({ store, queue, sources, policy, clock, ids, audit, log }: RetryParts) {
  async function run(claim: Claim, event: WebhookEvent): Promise<Attempt> {
    try {
      const source = sources.get(event.source)
      if (!source) throw new Error('no source of that name')
      const { plan } = source.read({ body: acceptUnverified(event.payload), headers: event.headers })
      const ending = await settle(claim, plan(), log, (effects) => store.finish(claim, event, effects, clock.now()))
      return ending.kind === 'written' ? 'processed' : 'dropped'
    } catch (error) {
      const isInvalid = error instanceof ServiceError && error.is('VALIDATION_FAILED')
      return recordFailure(claim, event, isInvalid ? 'payload is not valid any more' : reasonOf(error), error)
    }
  }

  async function recordFailure(
    claim: Claim,
    event: WebhookEvent,
    errorMessage: string,
    cause: unknown,
  ): Promise<Attempt> {
    const at = clock.now()
    const due = nextRetryAt(event, at, policy)
    log.error('webhook retry failed', { source: event.source, eventId: event.eventId, attempts: event.attempts, cause })
    const ending = await store.fail(claim, { at, errorMessage, nextRetryAt: due })
    if (ending.kind === 'lost') return 'dropped'
    if (due === undefined) return 'dead'
    await scheduleRetry(queue, log, event, due.getTime() - at.getTime())
    return 'failed'
  }

  async function refused(hint: RetryHint, event: WebhookEvent | undefined): Promise<Attempt> {
    const now = clock.now()
    const step = nextStep(event, hint, now, policy.maxAttempts)
    if (step === 'postpone') {
      await queue.send(hint, (event?.nextRetryAt?.getTime() ?? 0) - now.getTime())
      return 'postponed'
    }
    if (step === 'drop') return 'dropped'
    const errorMessage = event?.status === 'FAILED' ? event.errorMessage : undefined
    const { kind } = await store.exhaust(hint, now, errorMessage ?? 'the last retry did not end in time')
    return kind === 'written' ? 'dead' : 'dropped'
  }

  async function attempt(hint: RetryHint): Promise<Attempt> {
    const now = clock.now()
    const leaseUntil = new Date(now.getTime() + policy.lease)
    const claim = { ...hint, owner: ids.unique(), now, leaseUntil, maxAttempts: policy.maxAttempts }
    const result = await store.claim(claim)
    if (result.kind === 'claimed') audit.decided('retried', hint)
    const outcome = await (result.kind === 'claimed' ? run(claim, result.event) : refused(hint, result.event))
    audit.decided(outcome, hint)
    return outcome
  }

  return {
    attempt,
    /**
     * Does what a message of the retry queue asks for.
     * @throws ServiceError `UNAVAILABLE`, or Error for a message that is no hint: it has to stay on the queue
     */
    async receive(message: string): Promise<Attempt> {
      try {
        return await attempt(readHint(message))
      } catch (cause) {
        log.error('a message stays on the retry queue', { cause })
        throw cause
      }
    },
  }
}
