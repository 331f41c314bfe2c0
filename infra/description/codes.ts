import { isGuarded } from '../../lib/auth/access.ts'
import type { Reads } from '../../lib/contract/about.ts'
import type { EndpointName } from '../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../lib/contract/route.ts'
import type { ErrorCode } from '../../lib/errors.ts'
import { PROVIDERS } from '../../lib/webhooks/providers/index.ts'
import type { SignatureScheme } from '../../lib/webhooks/schemes/scheme.ts'
import { ENDPOINTS } from '../endpoints.ts'

type Codes = readonly ErrorCode[]

/** Codes that every endpoint may answer with. */
const ALWAYS: Codes = ['HEADERS_TOO_LARGE', 'UNEXPECTED', 'UNAVAILABLE']

const BODY: Codes = ['PAYLOAD_TOO_LARGE', 'MEDIA_TYPE_UNSUPPORTED', 'CODING_UNSUPPORTED']

/** Codes of calls that change something; the CSRF check may look for its token in a form. */
const CHANGING: Codes = [
  'ORIGIN_NOT_TRUSTED',
  'CSRF_TOKEN_MISSING',
  'CSRF_TOKEN_WRONG',
  'PAYLOAD_TOO_LARGE',
  'CODING_UNSUPPORTED',
  'VALIDATION_FAILED',
]

const BASIC: Codes = ['BAD_CREDENTIALS', 'TOO_MANY_REQUESTS']

const GUARDED: Codes = [
  'AUTHENTICATION_REQUIRED',
  'SCHEME_NOT_ACCEPTED',
  'TOKEN_NOT_ACCEPTED',
  'TOKEN_MISPLACED',
  'VALIDATION_FAILED',
]

const ANY: Codes = [...GUARDED, 'TOKEN_INVALID', 'TOKEN_EXPIRED', ...BASIC]

/** Codes by the accepted credentials. */
const CREDENTIALS: Readonly<Record<NonNullable<Route['credentials']>, Codes>> = {
  any: ANY,
  'any-or-key': [...ANY, 'API_KEY_INVALID', 'KEY_OUT_OF_SCOPE'],
  database: [...GUARDED, ...BASIC],
  directory: [...GUARDED, ...BASIC],
  session: ['SESSION_REQUIRED', 'VALIDATION_FAILED'],
}

/** Codes by what the endpoint reads of a request. */
const READING: Readonly<Record<keyof Reads, Codes>> = {
  form: [...BODY, 'VALIDATION_FAILED'],
  json: [...BODY, 'VALIDATION_FAILED'],
  query: ['VALIDATION_FAILED'],
  signed: ['PAYLOAD_TOO_LARGE', 'RATE_LIMIT_EXCEEDED'],
  challenge: ['SIGNATURE_INVALID', 'VALIDATION_FAILED'],
}

/** Every code that an endpoint may answer with, each once. */
export function codesOf(name: EndpointName): Codes {
  const { route, about } = ENDPOINTS[name]
  const { reads = {}, refuses = [] } = about
  const kinds = Object.keys(reads) as (keyof Reads)[]
  return [
    ...new Set([
      ...kinds.flatMap((kind) => READING[kind]),
      ...signatureCodes(reads),
      ...credentialCodes(route),
      ...(isChanging(route) ? CHANGING : []),
      ...pathCodes(route),
      ...refuses,
      ...ALWAYS,
    ]),
  ]
}

function signatureCodes({ signed }: Reads): Codes {
  if (signed === undefined) return []
  const providers = signed === 'any provider' ? Object.values(PROVIDERS) : [PROVIDERS[signed]]
  const schemes = providers.map(({ scheme }): SignatureScheme => scheme)
  return schemes.flatMap(({ refusals, readsBody }) => [
    ...Object.values(refusals),
    ...(readsBody ? ['CODING_UNSUPPORTED' as const] : []),
  ])
}

export function isChanging({ method, access }: Route): boolean {
  return method !== 'GET' && access !== 'signature'
}

function credentialCodes(route: Route): Codes {
  const { access, credentials = 'any', loginWithinSeconds } = route
  if (!isGuarded(route)) return []
  const own: Codes = [...CREDENTIALS[credentials], ...(loginWithinSeconds ? (['LOGIN_TOO_OLD'] as const) : [])]
  if (typeof access !== 'object') return own
  return [...own, access.permission ? 'METHOD_ACCESS_DENIED' : 'ROLE_REQUIRED']
}

/** The codes of a path: a parameter may make it unknown, and other profiles do not have it. */
function pathCodes({ path, profile, isChallenge }: Route): Codes {
  const isUncertain = path.includes('{') || profile !== undefined
  return [
    ...(isUncertain ? ['ENDPOINT_NOT_FOUND' as const] : []),
    ...(isChallenge ? ['METHOD_NOT_SUPPORTED' as const] : []),
  ]
}
