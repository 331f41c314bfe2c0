import { decodeProtectedHeader } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
} from 'openid-client'
import { type IdentityProvider, LoginRefused } from '../../auth/oauth2/identity-provider.ts'
import type { StepRecorder } from '../../auth/oauth2/steps.ts'
import type { StepName } from '../../contract/login-steps.ts'
import { unavailable } from '../../errors.ts'
import { memoizeAsync } from '../../runtime/cache.ts'
import { exchange, type OAuthClient, REQUEST_SECONDS, secretPost } from './exchange.ts'
import { boundedFetch, recorded, recordedFetch } from './recorded-fetch.ts'

/** @param issuer http only where the settings allow it */
export function googleProvider(client: OAuthClient, issuer: URL): IdentityProvider {
  // The metadata is fetched once for each instance of a function.
  const configurationOf = memoizeAsync(() => discover(client, issuer))
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
    attributesOf(callback, { state, nonce, codeVerifier }, recorder) {
      const ask = async () => {
        const configuration = await configurationOf()
        const tokens = await authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new LoginRefused('identity-incomplete')
        noteIdToken(recorder, tokens.id_token ?? '', claims)
        const user = await fetchUserInfo(configuration, tokens.access_token, claims.sub)
        recorder.passed('subject', claims.sub)
        return { ...claims, ...user }
      }
      return exchange(() => recorded(recorder, ask))
    },
  }
}

/** Records what the library has validated in an ID token (OpenID Connect Core section 3.1.3.7). */
function noteIdToken(recorder: StepRecorder, idToken: string, { iss, aud, exp, nonce }: IDToken): void {
  const { alg, kid } = decodeProtectedHeader(idToken)
  recorder.passed('algorithm', alg)
  recorder.passed('expiry', new Date(exp * 1000).toISOString())
  recorder.passed('issuer', iss)
  recorder.passed('audience', [aud].flat().join(', '))
  recorder.passed('nonce', nonce)
  recorder.passed('signature', kid === undefined ? `${alg}` : `${alg}, key ${kid}`)
}

/** @throws ServiceError `UNAVAILABLE` also for metadata that cannot be used: nobody can log in there now */
async function discover(client: OAuthClient, issuer: URL): Promise<Configuration> {
  // By default the library trusts the connection and skips the ID token's signature.
  const execute = [enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [allowInsecureRequests] : [])]
  const metadata = { id_token_signed_response_alg: 'RS256' }
  try {
    const configuration = await discovery(issuer, client.clientId, metadata, secretPost(client), {
      execute,
      timeout: REQUEST_SECONDS,
      [customFetch]: boundedFetch,
    })
    configuration[customFetch] = recordedFetch(stepsOf(configuration))
    return configuration
  } catch (error) {
    throw unavailable(error)
  }
}

function stepsOf(configuration: Configuration): Readonly<Record<string, StepName>> {
  const { token_endpoint = '', jwks_uri = '', userinfo_endpoint = '' } = configuration.serverMetadata()
  return { [token_endpoint]: 'token', [jwks_uri]: 'keys', [userinfo_endpoint]: 'user' }
}
