import { fail } from '../../errors.ts'
import { networkOf } from '../../runtime/address.ts'
import {
  type Counter,
  type Demand,
  demandOf,
  type Limit,
  nextOpensAt,
  opensAt,
  type Tally,
  takeOnce,
  tallyIn,
  timeIn,
  windowAt,
} from '../../runtime/tally.ts'
import type { Clock } from '../../runtime/time.ts'
import type { Intake } from '../admit.ts'
import { refusedCall } from '../audit.ts'
import type { Sender } from '../refusals/refusal.ts'

/** How many further permits a lease takes ahead: at most one counter request per eleven calls. */
const AHEAD = 10

/** Permits that this instance has taken. It uses them in ascending order. */
interface PermitLease extends Pick<Tally, 'window' | 'before'> {
  readonly next: number
  readonly last: number
  /** This lease's share of the tally's `spare`. */
  readonly spare: number
}

/** The state that one instance keeps for one caller at one endpoint. */
export interface CallerState {
  readonly name: string
  seen: Tally | undefined
  lease: PermitLease | undefined
  /** Set while a counter request is pending. */
  asking: Promise<void> | undefined
}

function newCallerState(name: string): CallerState {
  return { name, seen: undefined, lease: undefined, asking: undefined }
}

/** Milliseconds until a call is allowed, 0 for now; undefined if only the counter can decide. */
function waitOf(caller: CallerState, now: number, limit: Limit): number | undefined {
  const { lease, seen } = caller
  const until = (opening: number, of: Pick<Tally, 'window'>) => Math.max(0, opening - timeIn(of, now, limit))
  if (lease && lease.next <= lease.last && lease.window >= windowAt(now, limit)) {
    return until(opensAt(lease, lease.next, limit), lease)
  }
  if (!seen) return undefined
  const tally = currentTally(caller, now, limit)
  return until(nextOpensAt(tally, limit), tally) || undefined
}

/** Uses the permit of an allowed call; call it after {@link waitOf} returned 0. */
function usePermit(caller: CallerState): void {
  if (caller.lease) caller.lease = { ...caller.lease, next: caller.lease.next + 1 }
}

function keepLease(caller: CallerState, { window, before, taken }: Tally, count: number): void {
  caller.lease = { window, before, next: taken - count + 1, last: taken, spare: count - 1 }
}

/** The demand for the next lease: of a tally whose next permit is free. */
function leaseDemand(caller: CallerState, now: number, limit: Limit): Demand {
  const tally = currentTally(caller, now, limit)
  const mine = caller.lease?.window === tally.window ? caller.lease.spare : 0
  return demandOf(tally, now, limit, AHEAD, mine)
}

/** The tally of this window, as far as this instance knows it. */
function currentTally({ seen, lease }: CallerState, now: number, limit: Limit): Tally {
  const mine = lease?.window === seen?.window ? lease : undefined
  const unusedHere = mine ? mine.last - mine.next + 1 : 0
  const unusedElsewhere = (seen?.spare ?? 0) - (mine?.spare ?? 0)
  return tallyIn(windowAt(now, limit), seen, unusedHere + unusedElsewhere)
}

export interface RateLimiter {
  /**
   * Milliseconds until such a call is let through; 0 lets this call through and counts it. Returns a promise only if it
   * has to ask the counter; the promise never rejects.
   */
  wait(endpoint: string, address: string): number | Promise<number>
}

export interface RateLimiterParts {
  /** Answers within about a second. */
  readonly counter: Pick<Counter, 'take' | 'rollOver'>
  /** The calls per minute that an endpoint takes of one address, at least 1. */
  readonly perMinute: number
  /** Those of endpoints that have a limit of their own. */
  readonly own?: Intake['own']
  readonly clock: Clock
  /** Called at most once a second, with the number of calls that were let through unjudged since the last call. */
  readonly onFailure: (cause: unknown, unjudged: number) => void
}

/** For local runs without security, and for a limit of 0. */
export const NO_LIMIT: RateLimiter = { wait: () => 0 }

/** Maximum number of callers that an instance remembers: the most recent ones. */
const MAXIMUM_CALLERS = 4096

/** How long every call is let through after the counter failed, in milliseconds. */
const REST = 1000

const MINUTE = 60_000

/** How often a tally may change between read and write before that counts as a failure. */
const ROUNDS = 8

/**
 * Lets through so many calls per endpoint and address, for IPv6 per network, in a sliding minute. A single
 * instance judges exactly. Several instances share a tally and lease some permits at a time, so that they judge most
 * calls without a request. If the counter fails, calls are let through.
 */
export function createRateLimiter({ counter, perMinute, own, clock, onFailure }: RateLimiterParts): RateLimiter {
  const callers = new Map<string, CallerState>()
  let restUntil = Number.NEGATIVE_INFINITY
  let unjudged = 0

  const nowMs = () => clock.now().getTime()

  function callerOf(name: string): CallerState {
    const caller = callers.get(name) ?? newCallerState(name)
    callers.delete(name)
    callers.set(name, caller)
    if (callers.size > MAXIMUM_CALLERS) callers.delete(callers.keys().next().value ?? name)
    return caller
  }

  /** Undefined if only the counter can decide. */
  function judge(caller: CallerState, limit: Limit): number | undefined {
    const now = nowMs()
    if (now < restUntil) {
      unjudged += 1
      return 0
    }
    const wait = waitOf(caller, now, limit)
    if (wait === 0) usePermit(caller)
    return wait
  }

  /** Calls of the same caller share a pending counter request and wait for its answer. */
  async function judgeAsking(caller: CallerState, limit: Limit): Promise<number> {
    for (;;) {
      caller.asking ??= ask(caller, limit).finally(() => {
        caller.asking = undefined
      })
      await caller.asking
      const wait = judge(caller, limit)
      if (wait !== undefined) return wait
    }
  }

  async function ask(caller: CallerState, limit: Limit): Promise<void> {
    try {
      for (let round = 0; waitOf(caller, nowMs(), limit) === undefined; round++) {
        if (round === ROUNDS) throw new Error('the tally kept changing')
        await askOnce(caller, limit)
      }
    } catch (cause) {
      rest(cause)
    }
  }

  async function askOnce(caller: CallerState, limit: Limit): Promise<void> {
    const { name, seen } = caller
    const demand = leaseDemand(caller, nowMs(), limit)
    const counted = await takeOnce(counter, name, seen, demand, limit)
    caller.seen = counted.tally
    if (counted.kind === 'written') keepLease(caller, counted.tally, demand.count)
  }

  function rest(cause: unknown): void {
    const now = nowMs()
    if (now < restUntil) return
    restUntil = now + REST
    onFailure(cause, unjudged)
    unjudged = 0
  }

  return {
    wait(endpoint, address) {
      const limit = { most: own?.[endpoint]?.rateLimitPerMinute ?? perMinute, length: MINUTE }
      const caller = callerOf(`webhook#${endpoint}#${networkOf(address)}`)
      return judge(caller, limit) ?? judgeAsking(caller, limit)
    },
  }
}

export interface Throttling extends Pick<Intake, 'secrets' | 'audit'> {
  readonly limiter: RateLimiter
}

/** Key of the one budget for all names without a secret, because callers make such names up. No path can contain it. */
const WITHOUT_SECRET = '*'

/**
 * Accepts a call within its caller's limit (webhooks-25). Returns a promise only if it has
 * to ask the counter.
 * @throws WebhookRefused `RATE_LIMIT_EXCEEDED`
 */
export function throttle(
  sender: Sender,
  address: string,
  { limiter, secrets, audit }: Throttling,
): void | Promise<void> {
  const conclude = (wait: number): void => {
    if (wait === 0) return
    const retryAfterSeconds = Math.max(1, Math.ceil(wait / 1000))
    throw refusedCall(audit, sender, 'rate-limited', fail('RATE_LIMIT_EXCEEDED', { retryAfterSeconds }))
  }
  const wait = limiter.wait(endpointOf(sender, secrets), address)
  return typeof wait === 'number' ? conclude(wait) : wait.then(conclude)
}

function endpointOf({ name }: Sender, secrets: Intake['secrets']): string {
  return secrets.current.has(name) ? name : WITHOUT_SECRET
}

/** How many calls one costs that makes us fetch a key. */
const FETCH_COST = 10

/** Counts the fetch of a key like further calls of its caller (webhooks-25), as far as the limit has room for them. */
export async function payForFetch(
  sender: Sender,
  address: string,
  { limiter, secrets }: Pick<Throttling, 'limiter' | 'secrets'>,
): Promise<void> {
  const endpoint = endpointOf(sender, secrets)
  for (let more = 1; more < FETCH_COST; more++) if ((await limiter.wait(endpoint, address)) > 0) return
}
