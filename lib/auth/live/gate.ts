import type { ServiceError } from '../../errors.ts'
import type { Cancel, Timers } from '../../runtime/async.ts'
import type { Clock } from '../../runtime/time.ts'
import { type AccountGate, confirming } from '../account-gate.ts'
import { onlyAuthorization, presentedKey, readAuthorization } from '../authorization.ts'
import { expired } from '../claims.ts'
import type { KeyGate } from '../keys/gate.ts'
import type { Principal } from '../principal.ts'
import { bearerCheck, type Tokens } from '../token.ts'
import { type Brought, withoutCredentials } from '../without-credentials.ts'
import type { TicketGate } from './ticket.ts'

/** What opens a session or a stream: a token, an API key, or the ticket of a page. */
export type LiveCredentials = { readonly token: string } | { readonly key: string } | { readonly ticket: string }

interface Presented extends Brought {
  /** Each value of `Authorization`. */
  readonly authorizations: readonly string[]
  /** Each value of {@link KEY_HEADER}. */
  readonly keys: readonly string[]
  /** A token that came otherwise; beside an `Authorization` it counts for nothing. */
  readonly passcode?: string | undefined
}

const TAKEN = { kinds: ['bearer', 'ticket', 'key'], takesTokens: true } as const

/**
 * The credentials of a caller.
 * @throws ServiceError `VALIDATION_FAILED` for several of a kind, or a key with others; for none as
 * {@link withoutCredentials} says
 */
export function liveCredentials({ authorizations, keys, passcode, ...brought }: Presented): LiveCredentials {
  const [authorization, ...others] = authorizations
  const key = presentedKey(keys, authorization !== undefined || passcode !== undefined)
  if (key !== undefined) return { key }
  if (authorization === undefined && passcode !== undefined) return { token: passcode }
  const { scheme, credentials } = readAuthorization(onlyAuthorization(authorization ?? '', others))
  if (scheme === 'bearer') return { token: credentials }
  if (scheme === 'ticket') return { ticket: credentials }
  throw withoutCredentials(brought, TAKEN)
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
 * @throws ServiceError `TOKEN_INVALID`, `TOKEN_EXPIRED`, `API_KEY_INVALID`,
 * `TICKET_INVALID`, `UNAVAILABLE`
 */
export type LiveGate = (credentials: LiveCredentials) => Promise<Entered>

export interface LiveGateParts {
  readonly tokens: Pick<Tokens, 'verify'>
  readonly accounts: AccountGate
  readonly keys: KeyGate
  readonly tickets: TicketGate
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
    const owner = await keys.check(text)
    return { owner, confirm: async () => owner.key && keys.confirm(owner.key.id) }
  }

  return async (credentials) => {
    if ('token' in credentials) return withToken(credentials.token)
    return 'key' in credentials ? withKey(credentials.key) : tickets(credentials.ticket)
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
