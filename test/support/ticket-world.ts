import type { AccountState } from '../../lib/auth/account-states.ts'
import { createTicketGate, issueTicket } from '../../lib/auth/live/ticket.ts'
import { createSessions, sessionKey } from '../../lib/auth/session.ts'
import type { Clock } from '../../lib/runtime/time.ts'
import { FORM_USER, MemorySessions } from './fakes/sessions.ts'
import { MemoryTickets } from './fakes/tickets.ts'

export const ADMIN = { ...FORM_USER, roles: ['ROLE_ADMIN'] } as const

/** An admin who has logged in, and whose account may change. */
export async function ticketWorld(clock: Clock) {
  const tickets = new MemoryTickets()
  const store = new MemorySessions()
  let account: AccountState | undefined = ADMIN
  const sessions = createSessions({
    store,
    clock,
    idleSeconds: 1800,
    maximumSeconds: 43_200,
    accounts: { find: async () => account, end: async () => {} },
  })
  const { id } = await sessions.start(ADMIN)
  return {
    tickets,
    store,
    /** In the cookie. */
    id,
    logOut: () => sessions.end(id),
    /** As any call of the page does. */
    use: () => sessions.use(id),
    become(state: AccountState | undefined) {
      account = state
    },
    issue: () => issueTicket({ tickets, clock }, sessionKey(id)),
    redeem: createTicketGate({ tickets, sessions, clock }),
  }
}
