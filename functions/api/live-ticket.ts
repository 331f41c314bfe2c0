import { makeTickets } from '../../lib/app/tickets.ts'
import { issueTicket } from '../../lib/auth/live/ticket.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { created } from '../../lib/http/message.ts'
import { sessionKeyOf } from '../../lib/http/own-session.ts'

const app = makeTickets()

export const handler = endpoint('liveTicket', app, async ({ event, principal }) =>
  created(await issueTicket(app, sessionKeyOf(event, principal) ?? '')),
)
