import { fail, type ServiceError } from '../../errors.ts'
import type { Cancel, Timers } from '../../runtime/async.ts'
import type { Clock } from '../../runtime/time.ts'
import { type AccountGate, confirming } from '../account-gate.ts'
import { presentedKey, readAuthorization } from '../authorization.ts'
import { expired } from '../claims.ts'
import type { KeyGate } from '../keys/gate.ts'
import type { Principal } from '../principal.ts'
import { bearerCheck, type Tokens } from '../token.ts'
import type { TicketGate } from './ticket.ts'

/** What opens a session or a stream: a token, an API key, or the ticket of a page. */
export type LiveCredentials = { readonly token: string } | { readonly key: string } | { readonly ticket: string }

interface Presented {
  /** The value of `Authorization`. */
  readonly authorization: string | undefined
  /** Each value of {@link KEY_HEADER}. */
  readonly keys: readonly string[]
  /** A token that came otherwise; beside an `Authorization` it counts for nothing. */
  readonly passcode?: string | undefined
}

/**
 * The credentials of a caller; undefined for none, and for a scheme that is not accepted here.
 * @throws ServiceError `VALIDATION_FAILED` for several keys, or one with other credentials
 */
export function liveCredentials({ authorization, keys, passcode }: Presented): LiveCredentials | undefined {
  const key = presentedKey(keys, authorization !== undefined || passcode !== undefined)
  if (key !== undefined) return { key }
  if (authorization === undefined) return passcode === undefined ? undefined : { token: passcode }
  const { scheme, credentials } = readAuthorization(authorization)
  if (scheme === 'bearer') return { token: credentials }
  return scheme === 'ticket' ? { ticket: credentials } : undefined
}

interface Parts {
  readonly clock: Clock
  readonly timers: Timers
  /** Receives once the reason why the session or stream must end. */
  ended(reason: unknown): void
}

/** Ends a session or a stream together with its credentials. */
export interface Lifetime {
  /** Replaces the credentials: it lasts no longer than these. */
  follow(credentials: Pick<Entered, 'confirm' | 'end'>): void
  stop(): void
}

export function createLifetime({ clock, timers, ended }: Parts): Lifetime {
  const undo: Cancel[] = []

  function stop(): void {
    for (const cancel of undo.splice(0)) cancel()
  }

  return {
    stop,
    follow({ confirm, end }) {
      stop()
      undo.push(followCredentials(confirm, timers, ended))
      if (!end) return
      const remaining = end.at.getTime() - clock.now().getTime()
      undo.push(timers.after(remaining, () => ended(end.reason(clock.now()))))
    },
  }
}

/** A caller who was accepted for as long as the credentials are good. */
export interface Entered {
  readonly owner: Principal
  /** Checks the credentials again. Rejects once they are over, or if nothing can confirm them. */
  confirm(): Promise<unknown>
  /** When the credentials expire, and the error from then on. */
  readonly end?: { readonly at: Date; reason(now: Date): ServiceError } | undefined
}

/**
 * Authenticates a caller who opens a session or a stream: with a token and its account, with a key, or with a ticket.
 * @throws ServiceError `AUTHENTICATION_REQUIRED`, `TOKEN_INVALID`, `TOKEN_EXPIRED`, `API_KEY_INVALID`,
 * `TICKET_INVALID`, `UNAVAILABLE`
 */
export type LiveGate = (credentials: LiveCredentials) => Promise<Entered>

export interface LiveGateParts {
  readonly tokens: Pick<Tokens, 'verify'>
  readonly accounts: AccountGate
  /** Without it API keys count as no credentials. */
  readonly keys?: KeyGate | undefined
  /** Without it tickets count as no credentials. */
  readonly tickets?: TicketGate | undefined
}

export function createLiveGate({ tokens, accounts, keys, tickets }: LiveGateParts): LiveGate {
  const check = confirming(bearerCheck(tokens), accounts)

  async function withToken(token: string): Promise<Entered> {
    const confirm = () => check(token)
    const owner = await confirm()
    const { tokenExpiresAt: at } = owner
    return { owner, confirm, end: at && { at, reason: (now) => expired(at, now) } }
  }

  async function withKey(text: string): Promise<Entered> {
    if (!keys) throw fail('AUTHENTICATION_REQUIRED')
    const owner = await keys.check(text)
    return { owner, confirm: async () => owner.key && keys.confirm(owner.key.id) }
  }

  return async (credentials) => {
    if ('token' in credentials) return withToken(credentials.token)
    if ('key' in credentials) return withKey(credentials.key)
    if (!tickets) throw fail('AUTHENTICATION_REQUIRED')
    return tickets(credentials.ticket)
  }
}

/** With the cache time of a gate and the time of a request, well below the 60 seconds after which all must end. */
const LOOK_EVERY_MS = 30_000

/**
 * Checks repeatedly the credentials that a session or a stream was opened with.
 * @param confirm rejects once they are over
 * @param ended receives the reason once: the credentials are over, or nothing can confirm them
 * @returns what stops looking
 */
function followCredentials(confirm: () => Promise<unknown>, timers: Timers, ended: (reason: unknown) => void): Cancel {
  let isStopped = false
  let cancel = wait()

  function wait(): Cancel {
    return timers.after(LOOK_EVERY_MS, () => void look())
  }

  async function look(): Promise<void> {
    try {
      await confirm()
      if (!isStopped) cancel = wait()
    } catch (reason) {
      if (!isStopped) ended(reason)
    }
  }

  return () => {
    isStopped = true
    cancel()
  }
}
