import { makeAccountSessions } from '../../lib/app/account.ts'
import { endOwnSession } from '../../lib/auth/session.ts'
import type { About } from '../../lib/contract/about.ts'
import { ANY_CREDENTIALS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { noContent } from '../../lib/http/message.ts'

export const route = {
  method: 'DELETE',
  path: '/api/account/sessions/{sessionId}',
  access: 'authenticated',
  audit: { action: 'sessions.ended', target: 'session' },
} as const satisfies Route

export const about = (): About => ({
  tag: 'Account',
  summary: 'End one of your own sessions',
  description: 'This may be the session of the call.',
  refuses: ['SESSION_NOT_FOUND'],
  sample: { parameters: { sessionId: 'playground' }, granted: 404 },
  answers: { 204: { description: 'The session has ended.' } },
  grants: [...ANY_CREDENTIALS, { SessionsTable: ['DeleteItem'] }],
})

export async function start() {
  const app = await makeAccountSessions()
  return endpoint(route, app, async ({ parameters, principal }) => {
    await endOwnSession(app.kept, principal.uid ?? '', parameters['sessionId'] ?? '')
    return noContent()
  })
}
