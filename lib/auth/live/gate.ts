import { fail, type ServiceError } from '../../errors.ts'
import { type AccountGate, confirming } from '../account-gate.ts'
import { bearerCheck } from '../bearer.ts'
import type { KeyGate } from '../keys/gate.ts'
import type { Principal } from '../principal.ts'
import type { Tokens } from '../token.ts'
import { expired } from '../token-refusal.ts'
import type { LiveCredentials } from './credentials.ts'
import type { TicketGate } from './ticket.ts'

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
