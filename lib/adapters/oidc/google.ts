import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import type { IdentityProvider } from '../../auth/oauth2/identity-provider.ts'
import { LoginRefused } from '../../auth/oauth2/identity-provider.ts'
import { unavailable } from '../../errors.ts'
import { boundedFetch } from './bounded-fetch.ts'
import { type Client, exchange, REQUEST_SECONDS } from './exchange.ts'

/** @param issuer http only where the settings allowed it */
export function googleProvider(client: Client, issuer: URL): IdentityProvider {
  const configurationOf = remembered(() => discover(client, issuer))
  return {
    async authorizationAddress({ redirectUri, scope, state, nonce, codeChallenge }) {
      return buildAuthorizationUrl(await configurationOf(), {
        redirect_uri: redirectUri.href,
        scope,
        state,
        nonce,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      })
    },
    attributesOf(callback, { state, nonce, codeVerifier }) {
      return exchange(async () => {
        const configuration = await configurationOf()
        const tokens = await authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new LoginRefused('identity-incomplete')
        return { ...claims, ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)) }
      })
    },
  }
}

/** @throws ServiceError `UNAVAILABLE` also for metadata that cannot be used: nobody can log in there now */
async function discover({ clientId, clientSecret }: Client, issuer: URL): Promise<Configuration> {
  // The library trusts the connection and skips the ID token's signature unless it is told otherwise.
  const execute = [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])]
  const metadata = { id_token_signed_response_alg: 'RS256' }
  try {
    return await discovery(issuer, clientId, metadata, ClientSecretPost(clientSecret), {
      execute,
      timeout: REQUEST_SECONDS,
      [customFetch]: boundedFetch,
    })
  } catch (error) {
    throw unavailable(error)
  }
}

/** One request for each instance of a function; one that fails is made again by the next login. */
function remembered<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
