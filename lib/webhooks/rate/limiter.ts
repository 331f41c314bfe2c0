import { networkOf } from '../../runtime/address.ts'
import type { Clock } from '../../runtime/clock.ts'
import { type Counter, type Limit, takeOnce } from '../../runtime/tally.ts'
import { type CallerState, keepLease, leaseDemand, newCallerState, usePermit, waitOf } from './lease.ts'

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
  readonly limitOf: (endpoint: string) => number
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
export function createRateLimiter({ counter, limitOf, clock, onFailure }: RateLimiterParts): RateLimiter {
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
      const caller = callerOf(`webhook#${endpoint}#${networkOf(address)}`)
      const limit = { most: limitOf(endpoint), length: MINUTE }
      return judge(caller, limit) ?? judgeAsking(caller, limit)
    },
  }
}
