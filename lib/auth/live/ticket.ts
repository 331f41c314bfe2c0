import { createHash, randomBytes } from 'node:crypto'
import { fail, type ServiceError } from '../../errors.ts'
import type { Clock } from '../../runtime/time.ts'
import { satisfies } from '../../users/role.ts'
import { principalOf, type Session, type Sessions } from '../session.ts'
import type { Entered } from './gate.ts'

/**
 * A page presents a ticket in place of the cookie that it does not have. It is good once, for a session or a stream
 * that ends with the login session. It is stored under a hash of its text.
 */
export interface Ticket {
  readonly key: string
  /** Of the login session that created it. */
  readonly sessionKey: string
  readonly expiresAt: Date
}

/** Where tickets are kept. All methods throw ServiceError `UNAVAILABLE`. */
export interface TicketStore {
  put(ticket: Ticket): Promise<void>
  /** Removes a ticket; only one of several concurrent callers gets it. */
  take(key: string): Promise<Ticket | undefined>
}

const TICKET_BYTES = 32
const TEXT = /^[\w-]{43}$/

const LIFETIME_MS = 60_000

interface IssueParts {
  readonly tickets: Pick<TicketStore, 'put'>
  readonly clock: Clock
}

/** Only this answer contains the text of the ticket. @throws ServiceError `UNAVAILABLE` */
export async function issueTicket({ tickets, clock }: IssueParts, sessionKey: string) {
  const ticket = randomBytes(TICKET_BYTES).toString('base64url')
  const expiresAt = new Date(clock.now().getTime() + LIFETIME_MS)
  await tickets.put({ key: keyOf(ticket), sessionKey, expiresAt })
  return { ticket, expiresAt: expiresAt.toISOString() }
}

function keyOf(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64url')
}

/** Authenticates a caller by a ticket, which is then spent. @throws ServiceError `TICKET_INVALID`, `UNAVAILABLE` */
export type TicketGate = (ticket: string) => Promise<Entered>

export interface TicketGateParts {
  readonly tickets: Pick<TicketStore, 'take'>
  readonly sessions: Pick<Sessions, 'look' | 'expiresAt' | 'latestEnd'>
  readonly clock: Clock
}

export function createTicketGate({ tickets, sessions, clock }: TicketGateParts): TicketGate {
  async function sessionOf(key: string): Promise<Session> {
    const session = await sessions.look(key)
    if (!session) throw refusal('Session ended')
    return session
  }

  return async (text) => {
    const ticket = TEXT.test(text) ? await tickets.take(keyOf(text)) : undefined
    if (!ticket || ticket.expiresAt <= clock.now()) throw refusal('Bad credentials')
    const session = await sessionOf(ticket.sessionKey)
    return {
      owner: principalOf(session, sessions.expiresAt(session)),
      async confirm() {
        const { roles } = await sessionOf(session.key)
        if (!session.roles.every((role) => satisfies(roles, role))) throw refusal('Role changed')
      },
      end: { at: sessions.latestEnd(session), reason: () => refusal('Session ended') },
    }
  }
}

function refusal(reason: 'Bad credentials' | 'Session ended' | 'Role changed'): ServiceError {
  return fail('TICKET_INVALID', { authType: 'Ticket', reason })
}
