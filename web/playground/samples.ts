import type { EndpointName } from '../../lib/contract/routes.ts'
import { type Call, formBody, JSON_HEADERS } from '../call.ts'

export interface Sample {
  /** For the braces of the path. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly query?: string
  readonly content: Pick<Call, 'headers' | 'body'>
  /** What it earns, once it is let in. */
  readonly granted: number
}

/** Who looks at the playground. */
interface Visitor {
  /** Somebody with a password, for the endpoint that logs in. */
  readonly login: { readonly username: string; readonly password: string } | undefined
  /** Whether the session of the page began with an identity provider. */
  readonly isFromProvider: boolean
}

const EMPTY: Sample['content'] = { headers: JSON_HEADERS }

function json(body: object): Sample['content'] {
  return { headers: { ...JSON_HEADERS, 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

const EVENT = { source: 'payment', eventId: 'playground' }

const FIXED: Readonly<Partial<Record<EndpointName, Sample>>> = {
  publicHello: { content: EMPTY, granted: 200 },
  authInfo: { content: EMPTY, granted: 200 },
  adminSecure: { content: EMPTY, granted: 200 },
  userSecure: { content: EMPTY, granted: 200 },
  jdbcUsers: { content: EMPTY, granted: 200 },
  ldapUsers: { content: EMPTY, granted: 200 },
  oauth2Profile: { content: EMPTY, granted: 200 },
  usersCreate: { content: json({}), granted: 400 },
  usersDelete: { parameters: { userId: 'playground' }, content: EMPTY, granted: 404 },
  webhookEvents: { query: '?limit=3', content: EMPTY, granted: 200 },
  webhookEvent: { parameters: EVENT, content: EMPTY, granted: 404 },
  webhookEventPayload: { parameters: EVENT, content: EMPTY, granted: 404 },
  webhookEventRetry: { parameters: EVENT, content: json({ reason: 'playground' }), granted: 404 },
  replaysCreate: { content: json({ replayId: 'playground', filter: {}, dryRun: true }), granted: 200 },
  replay: { parameters: { replayId: 'playground' }, content: EMPTY, granted: 404 },
}

const FITTED: Readonly<Partial<Record<EndpointName, (visitor: Visitor) => Sample>>> = {
  authLogin: ({ login }) =>
    login ? { content: formBody({ ...login }), granted: 200 } : { content: formBody({}), granted: 400 },
  oauth2Steps: ({ isFromProvider }) => ({ content: EMPTY, granted: isFromProvider ? 200 : 404 }),
}

/**
 * A request for each endpoint of the API that changes nothing: what would is left incomplete (400), or names nothing
 * that is there (404). Without somebody to log in as, the login is left incomplete too.
 */
export function sampleOf(name: string, visitor: Visitor): Sample | undefined {
  return FITTED[name as EndpointName]?.(visitor) ?? FIXED[name as EndpointName]
}
