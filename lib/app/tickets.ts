import { dynamoTicketStore } from '../adapters/dynamodb/sessions.ts'
import { createTicketGate, type TicketGate, type TicketStore } from '../auth/live/ticket.ts'
import { clock, makePublic } from './edge.ts'
import { openSessions, sessionsFor } from './sessions.ts'
import { documents, tableOf } from './stores.ts'

/** For pages that open a session or a stream at the container, which their cookie does not reach. */
export function makeTickets() {
  const { sessions, check } = openSessions()
  return {
    ...makePublic(),
    checks: { session: check },
    findSession: sessions.use,
    tickets: ticketStore(),
  }
}

/** The check of tickets. @throws ConfigError */
export function openTicketGate(): TicketGate {
  return createTicketGate({ tickets: ticketStore(), sessions: sessionsFor(), clock })
}

function ticketStore(): TicketStore {
  return dynamoTicketStore(documents(), tableOf('SESSIONS_TABLE'))
}
