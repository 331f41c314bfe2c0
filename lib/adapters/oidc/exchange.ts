import { type ClientAuth, ClientSecretPost, type Configuration, fetchProtectedResource } from 'openid-client'
import type { Attributes, IdentityProvider } from '../../auth/oauth2/identity-provider.ts'
import { LoginRefused } from '../../auth/oauth2/identity-provider.ts'
import { ServiceError, unavailable } from '../../errors.ts'
import type { Current } from '../../runtime/secrets.ts'
import { refusingCheck } from './refusing-check.ts'

/** Our registration with a provider. */
export interface OAuthClient {
  readonly clientId: string
  readonly clientSecret: Current<string>
}

/** Proves who we are with the secret as it is at that moment (RFC 6749 section 2.3.1). */
export function secretPost({ clientSecret }: OAuthClient): ClientAuth {
  return (...call) => ClientSecretPost(clientSecret.current)(...call)
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
    throw refusalOf(error)
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

function refusalOf(error: unknown): LoginRefused {
  if (error instanceof LoginRefused) return error
  const outage = outageIn(error)
  if (outage) return new LoginRefused('unavailable', { cause: outage })
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN'
  const refused = refusingCheck(error)
  return new LoginRefused(code === REFUSED_BY_PROVIDER ? 'refused-by-provider' : 'answer-rejected', { code, refused })
}

/** The library wraps what its fetch throws. */
function outageIn(error: unknown): ServiceError | undefined {
  if (error instanceof ServiceError) return error
  return error instanceof Error ? outageIn(error.cause) : undefined
}
