import { dynamoTicketStore } from '../adapters/dynamodb/ticket-store.ts'
import { createTicketGate, type TicketGate, type TicketStore } from '../auth/live/ticket.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { sessionsStoreSettings } from '../runtime/settings/stores.ts'
import { documents } from './clients.ts'
import { clock, makePublic } from './edge.ts'
import { openSessions, sessionsFor } from './sessions.ts'

/** For pages that open a session or a stream at the container, which their cookie does not reach. */
export function makeTickets(environment?: Environment) {
  const { sessions, check } = openSessions(environment)
  return {
    ...makePublic(environment),
    checks: { session: check },
    findSession: sessions.use,
    tickets: ticketStore(environment),
  }
}

/** The check of tickets. @throws ConfigError */
export function openTicketGate(environment?: Environment): TicketGate {
  return createTicketGate({ tickets: ticketStore(environment), sessions: sessionsFor(environment), clock })
}

function ticketStore(environment?: Environment): TicketStore {
  const { SESSIONS_TABLE } = loadConfig(sessionsStoreSettings, [], environment)
  return dynamoTicketStore(documents(), SESSIONS_TABLE)
}
