import { env } from 'node:process'
import { makePublic } from '../../lib/app/edge.ts'
import { openSessions } from '../../lib/app/sessions.ts'
import { LOCAL_PATHS } from '../../lib/contract/console.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { ok } from '../../lib/http/message.ts'
import { localRun } from '../local-run.ts'
import { offeredSenders, signedRequests, testEventFor } from './test-events.ts'

/** In no table of endpoints: no deployment has them. */
const COMMON = { access: { role: 'ROLE_ADMIN' }, credentials: 'session' } as const
const ROUTES = {
  senders: { ...COMMON, method: 'GET', path: LOCAL_PATHS.senders },
  testEvents: { ...COMMON, method: 'POST', path: LOCAL_PATHS.testEvents },
} as const satisfies Record<string, Route>

const { sessions, check } = openSessions()
const app = { ...makePublic(), checks: { session: check }, findSession: sessions.use }
const run = localRun(env)

export const senders = endpoint(ROUTES.senders, app, () => ok({ senders: offeredSenders(run) }))

export const testEvents = endpoint(ROUTES.testEvents, app, json(testEventFor(run)), async ({ input }) =>
  ok({ requests: await signedRequests(input, run) }),
)
