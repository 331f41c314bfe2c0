import { jsonContent } from '../contract/schemas.ts'
import { liveTicket } from '../contract/user-schemas.ts'
import type { About } from './about.ts'
import { KEEP_TICKET, SESSION } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/live-ticket',
  access: 'authenticated',
  credentials: 'session',
} as const satisfies Route

export const sampleRequest = { granted: 201 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Account',
    summary: 'Create a ticket for one live connection',
    description:
      'A page presents it as `Authorization: Ticket <ticket>`, once, in the CONNECT frame of STOMP or to the event stream of webhooks, which docs/channels.md describes. The connection ends with the login session. A token counts as no credentials here: clients with a token present it there.',
    answers: {
      201: {
        description: 'The ticket, valid for 60 seconds.',
        example: { ticket: 'x'.repeat(43), expiresAt: '2026-11-21T07:01:00.000Z' },
        content: jsonContent(liveTicket),
      },
    },
    grants: [...SESSION, KEEP_TICKET],
  }) as const satisfies About
