import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  customFetch,
  fetchProtectedResource,
  type ServerMetadata,
} from 'openid-client'
import type { Attributes, IdentityProvider, LoginRefusalReason } from '../../auth/oauth2/identity-provider.ts'
import { LoginRefused } from '../../auth/oauth2/identity-provider.ts'
import type { StepName } from '../../contract/login-steps.ts'
import { ServiceError, unavailable } from '../../errors.ts'
import type { Current } from '../../runtime/secrets.ts'
import { recordedFetch } from './recorded-fetch.ts'
import { refusingCheck } from './refusing-check.ts'

/** Our registration with a provider. */
export interface OAuthClient {
  readonly clientId: string
  readonly clientSecret: Current<string>
}

/** How a client proves who it is with its secret (RFC 6749 section 2.3.1), the better first. */
export const SECRET_METHODS = { client_secret_basic: ClientSecretBasic, client_secret_post: ClientSecretPost } as const

/**
 * What the library knows of a provider and our client.
 * @param steps by address without query: the requests that are steps of a login
 */
export function configured(
  server: ServerMetadata,
  clientId: string,
  authentication: ClientAuth,
  steps: Readonly<Record<string, StepName>>,
): Configuration {
  const configuration = new Configuration(server, clientId, undefined, authentication)
  configuration.timeout = REQUEST_SECONDS
  configuration[customFetch] = recordedFetch(steps)
  if (server.token_endpoint?.startsWith('http:') && server.issuer.startsWith('http:'))
    allowInsecureRequests(configuration)
  return configuration
}

/** For one request to a provider, in seconds as the library counts. */
export const REQUEST_SECONDS = 4

/** For everything that an answer to a browser waits for, in milliseconds: less than the function has. */
const DEADLINE = 8000

/**
 * The answer of a provider, within the time limit.
 * @throws LoginRefused if the library or the provider refuses
 */
export async function exchange(
  ask: () => ReturnType<IdentityProvider['attributesOf']>,
  deadline = DEADLINE,
): Promise<Attributes> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable(new Error('the provider took too long'))), deadline)
  try {
    return await Promise.race([ask(), late])
  } catch (error) {
    throw refusalOf(error, 'answer-rejected')
  } finally {
    clearTimeout(timer)
  }
}

/** A JSON object or list that the access token opens. */
export async function resource(configuration: Configuration, accessToken: string, url: URL): Promise<unknown> {
  const headers = new Headers({ accept: 'application/json' })
  const response = await fetchProtectedResource(configuration, accessToken, url, 'GET', null, headers)
  if (!response.ok) throw new LoginRefused('answer-rejected', { code: `HTTP_${response.status}` })
  return response.json()
}

export function below(api: URL, path: string): URL {
  return new URL(`${api.href.replace(/\/$/, '')}${path}`)
}

const REFUSED_BY_PROVIDER = 'OAUTH_AUTHORIZATION_RESPONSE_ERROR'

/** @throws ServiceError `UNAVAILABLE` for metadata that did not come */
export function refusalOf(error: unknown, otherwise: LoginRefusalReason): LoginRefused {
  if (error instanceof LoginRefused) return error
  const outage = outageIn(error)
  if (outage && otherwise === 'metadata-rejected') throw outage
  if (outage) return new LoginRefused('unavailable', { cause: outage })
  const { code = 'UNKNOWN', error: word = errorIn(error) } = Object(error) as ProviderError
  const reason = code === REFUSED_BY_PROVIDER ? 'refused-by-provider' : otherwise
  return new LoginRefused(reason, {
    code,
    detail: detailOf(error),
    error: typeof word === 'string' && /^[a-z_]{1,40}$/.test(word) ? word : undefined,
    refused: refusingCheck(error),
  })
}

interface ProviderError {
  readonly code?: string
  readonly error?: unknown
}

/** The error in an answer that the library takes for a success: GitHub sends some with the status 200. */
function errorIn(error: unknown): unknown {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.cause : undefined
  return Object(Object(cause).body).error
}

/** The innermost sentence of the library, which quotes no provider; or the status that it did not expect. */
function detailOf(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined
  const { cause } = error
  if (cause instanceof Response)
    return `HTTP status ${cause.status}, ${cause.headers.get('content-type')?.split(';')[0] ?? 'no content type'}`
  return cause instanceof Error && 'code' in cause ? cause.message : error.message
}

/** The library wraps what its fetch throws. */
function outageIn(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error
  return error instanceof Error ? outageIn(error.cause) : undefined
}
