import type { Reads } from '../../lib/contract/about.ts'
import type { Credentials, Route } from '../../lib/contract/route.ts'
import { CSRF_COOKIE, SESSION_COOKIE } from '../../lib/http/cookies.ts'
import { PROVIDERS } from '../../lib/webhooks/providers/index.ts'
import { isChanging } from './codes.ts'
import type { Json } from './schemas.ts'

/** The schemes of endpoints of their own, and the one for every name without a row. */
const SIGNATURES = ['generic', 'stripe', 'github'] as const
type Signature = (typeof SIGNATURES)[number]

const ALGORITHMS: Readonly<Record<Signature, string>> = {
  generic:
    'The hexadecimal HMAC-SHA256 of the body, `sha256=` in front of it is allowed. With `X-Timestamp`, in seconds and at most 300 away from now, of `timestamp.body`.',
  stripe: "Stripe's `t=…,v1=…`: the HMAC-SHA256 of `t.body`, at most 300 seconds away from now.",
  github: "GitHub's `sha256=…`: the HMAC-SHA256 of the body.",
}

const name = (signature: Signature) => `${signature}Signature`

export const SECURITY_SCHEMES: Json = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of `POST /api/auth/login`.',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'Name and password of a user of the database or of the directory, in UTF-8.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: SESSION_COOKIE,
    description: 'The session cookie of a login with the form or with an identity provider.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'The key of a machine, made by `POST /api/keys`.',
  },
  csrfToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-XSRF-TOKEN',
    description: `The value of the cookie \`${CSRF_COOKIE}\`, over https \`__Host-${CSRF_COOKIE}\`; forms may send it as \`_csrf\`.`,
  },
  ...Object.fromEntries(
    SIGNATURES.map((signature) => [
      name(signature),
      { type: 'apiKey', in: 'header', name: PROVIDERS[signature].scheme.header, description: ALGORITHMS[signature] },
    ]),
  ),
}

type Requirement = Readonly<Record<string, readonly string[]>>

const KINDS: Readonly<Record<Credentials, readonly string[]>> = {
  any: ['bearer', 'basic', 'session'],
  'any-or-key': ['bearer', 'basic', 'session', 'apiKey'],
  database: ['basic'],
  directory: ['basic'],
  session: ['session'],
}

/** The security requirements of an endpoint: one of several, or none. */
export function securityOf(route: Route, { signed }: Reads = {}): readonly Requirement[] {
  const session: Requirement = { session: [], ...(isChanging(route) && { csrfToken: [] }) }
  if (route.access === 'public') return isChanging(route) ? [{}, session] : []
  if (route.access === 'signature') return signatureOf(signed)
  return KINDS[route.credentials ?? 'any'].map((kind) => (kind === 'session' ? session : { [kind]: [] }))
}

/** A provider without an endpoint of its own signs in a header of its own, or inside the body. */
function signatureOf(signed: Reads['signed']): readonly Requirement[] {
  if (signed === undefined) return []
  return signed === 'any provider' ? [{ [name('generic')]: [] }, {}] : [{ [name(signed)]: [] }]
}
