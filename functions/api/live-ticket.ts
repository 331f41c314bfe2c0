import { makeTickets } from '../../lib/app/tickets.ts'
import { issueTicket } from '../../lib/auth/live/ticket.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { liveTicket } from '../../lib/contract/answers/accounts.ts'
import { KEEP_TICKET, SESSION } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { created } from '../../lib/http/message.ts'
import { sessionKeyOf } from '../../lib/http/own-session.ts'

export const route = {
  method: 'POST',
  path: '/api/live-ticket',
  access: 'authenticated',
  credentials: 'session',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Account',
  summary: 'Create a ticket for one live connection',
  description:
    'A page presents it as `Authorization: Ticket <ticket>`, once, in the CONNECT frame of STOMP or to the event stream of webhooks, which docs/channels.md describes. The connection ends with the login session. A token counts as no credentials here: clients with a token present it there.',
  sample: { granted: 201 },
  answers: {
    201: jsonAnswer('The ticket, valid for 60 seconds.', liveTicket, {
      ticket: 'x'.repeat(43),
      expiresAt: '2026-11-21T07:01:00.000Z',
    }),
  },
  grants: [...SESSION, KEEP_TICKET],
})

export function start() {
  const app = makeTickets()
  return endpoint(route, app, async ({ event, principal }) =>
    created(await issueTicket(app, sessionKeyOf(event, principal) ?? '')),
  )
}
