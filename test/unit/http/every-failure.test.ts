import { describe, expect, it } from 'vitest'
import { samplesOf } from '../../../infra/description/error-samples.ts'
import type { Principal } from '../../../lib/auth/principal.ts'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import type { Credentials, Route } from '../../../lib/contract/route.ts'
import { CATALOG, type ErrorCode, unavailable } from '../../../lib/errors.ts'
import { type ChangingContext, endpoint, type GuardedContext } from '../../../lib/http/endpoint.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import type { Trail } from '../../../lib/trail/trail.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { httpEvent, lambdaContext } from '../../support/fakes/http.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingTrail } from '../../support/fakes/trail.ts'
import { SECURED } from '../../support/secured.ts'

const ADMIN: Principal = {
  ...{ username: 'alice', roles: ['ROLE_ADMIN'], authType: 'JWT', principalType: 'JwtUser' },
  tokenIssuedAt: START,
}
const isAdmin = async () => ADMIN

const edge: GuardedContext & ChangingContext & { readonly trail: Trail } = {
  clock: fixedClock(),
  log: recordingLog(),
  baseUrl: new URL('https://gatehouse.example'),
  trustedOrigins: [],
  trustedProxies: NO_NETWORKS,
  profile: 'default',
  checks: { bearer: isAdmin, basic: isAdmin, session: isAdmin },
  permits: () => true,
  findSession: async () => undefined,
  trail: recordingTrail(),
  asksByGet: () => true,
}

const BASIC = { authorization: `Basic ${Buffer.from('alice:secret').toString('base64')}` }
const HEADERS: Readonly<Record<Credentials, Readonly<Record<string, string>>>> = {
  any: { authorization: 'Bearer x' },
  'any-or-key': { authorization: 'Bearer x' },
  database: BASIC,
  directory: BASIC,
  session: { cookie: 'JSESSIONID=x' },
}

const SECURED_BY_HTTPS = { ...SECURED, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

const FAILURES: readonly (readonly [status: number, error: unknown])[] = [
  ...(Object.keys(CATALOG) as ErrorCode[]).flatMap((code) =>
    samplesOf(code, 'api').map(({ error }) => [error.status, error] as const),
  ),
  [503, unavailable(new Error('the store is down'))],
  [500, new TypeError('a bug')],
  [500, 'a text'],
]

/** What each endpoint answers when its handler, or all that it calls, fails so. */
describe('H23 the security headers are on every failure of every endpoint', () => {
  it.each(Object.entries<Route>(ROUTES))('%s', async (_, route) => {
    const { method, path, credentials = 'any' } = route
    let failure: unknown
    const handler = endpoint(route, edge, () => Promise.reject(failure))
    const filled = path.replace('{provider}', 'dropbox').replaceAll(/\{\w+\}/g, 'x')
    const event = httpEvent({ method, path: filled, headers: HEADERS[credentials] })
    for (const [status, error] of FAILURES) {
      failure = error
      const { statusCode, headers } = await handler(event, lambdaContext())
      expect(statusCode).toBe(status)
      expect(headers).toMatchObject(SECURED_BY_HTTPS)
      if ([429, 503].includes(status)) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
  })
})
