import type { MiddlewareObj } from '@middy/core'
import type { Context } from 'aws-lambda'
import type { Principal } from '../../auth/principal.ts'
import { fail, type ServiceError } from '../../errors.ts'
import type { Networks } from '../../runtime/address.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/time.ts'
import type { Act } from '../../trail/act.ts'
import type { HttpEvent, Reply } from '../message.ts'
import type { AsksByGet } from '../routing.ts'

/** What the chain around every endpoint needs. */
export interface EndpointContext {
  readonly clock: Clock
  readonly log: Log
  readonly baseUrl: URL
  readonly trustedOrigins: readonly string[]
  /** Proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: Networks
  /** What the edge proves itself by: one secret, or two during a rotation; none without an edge. */
  readonly edgeSecrets?: readonly string[]
  readonly profile: string
  /** Whether operators' endpoints take HTTP Basic; they do if absent. */
  readonly isBasicForOperators?: boolean
  /** Whether a setting disables the endpoint. */
  readonly isOff?: boolean
  /** For the endpoint of the challenges; without it no provider asks. */
  readonly asksByGet?: AsksByGet
  /** Shows a failure to a browser; without it a browser gets the same answer as every client. */
  readonly errorPage?: (error: ServiceError, event: HttpEvent, baseUrl: URL) => Promise<Reply>
  /** Runs before each call; it never rejects. */
  readonly prepare?: () => Promise<void> | undefined
  /**
   * Receives the error of a refused call before its answer; returns a promise if that takes time, and never rejects.
   */
  readonly refused?: (error: unknown, event: HttpEvent) => Promise<void> | undefined
  /** Runs after each call, before the process may be frozen; it never rejects. */
  readonly conclude?: (call: Call) => Promise<void>
}

/** Results of the chain before the handler, on Middy's context. */
export interface Findings {
  /** Those of the path; absent until the route is known to be the one that was called. */
  parameters?: Readonly<Record<string, string>>
  principal?: Principal | undefined
  input?: unknown
  /** The action that the audit trail records. */
  act?: Act | undefined
}

export type CallContext = Context & Findings

/** One link of the chain. Its hooks are synchronous where nothing has to be awaited. */
export type Middleware = MiddlewareObj<HttpEvent, Reply, Error, CallContext>

/** What a hook is given. */
export type Call = Parameters<NonNullable<Middleware['before']>>[0]

/** Time kept for the answer when the work does not end, in milliseconds. */
const RESERVE = 500

interface Remaining {
  getRemainingTimeInMillis?(): number
}

/**
 * The result of work: at once if it need not wait, otherwise unless the function's time runs out first.
 * @throws ServiceError `UNAVAILABLE`, as a rejection, half a second before the platform would stop the function
 */
export function beforeDeadline<T>(work: T | Promise<T>, context: Remaining): T | Promise<T> {
  const remaining = work instanceof Promise ? context.getRemainingTimeInMillis?.() : undefined
  return remaining === undefined ? work : within(remaining - RESERVE, work)
}

function within<T>(milliseconds: number, work: T | Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const timer = setTimeout(() => reject(fail('UNAVAILABLE')), Math.max(0, milliseconds))
  const inTime =
    <A>(settle: (outcome: A) => void) =>
    (outcome: A) => {
      clearTimeout(timer)
      settle(outcome)
    }
  Promise.resolve(work).then(inTime(resolve), inTime(reject))
  return promise
}
