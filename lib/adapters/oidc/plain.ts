import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  Configuration,
  customFetch,
} from 'openid-client'
import type { Attributes, IdentityProvider } from '../../auth/oauth2/identity-provider.ts'
import type { StepName } from '../../contract/login-steps.ts'
import { exchange, type OAuthClient, REQUEST_SECONDS, secretPost } from './exchange.ts'
import { recorded, recordedFetch } from './recorded-fetch.ts'

export interface OAuthEndpoints {
  readonly authorization: URL
  readonly token: URL
  readonly api: URL
}

/**
 * A provider without OpenID Connect: no discovery, no ID token; its own API identifies the user.
 * @param issuer its name in a callback's `iss`, should it send one (RFC 9207)
 * @param resources the addresses of its API that `userOf` asks, and which step that is
 */
export function plainProvider(
  client: OAuthClient,
  { authorization, token }: OAuthEndpoints,
  issuer: string,
  resources: Readonly<Record<string, StepName>>,
  userOf: (configuration: Configuration, accessToken: string) => Promise<Attributes>,
): IdentityProvider {
  const configuration = new Configuration(
    { issuer, authorization_endpoint: authorization.href, token_endpoint: token.href },
    client.clientId,
    undefined,
    secretPost(client),
  )
  configuration.timeout = REQUEST_SECONDS
  configuration[customFetch] = recordedFetch({ [token.href]: 'token', ...resources })
  if (token.protocol === 'http:') allowInsecureRequests(configuration)
  return {
    async authorizationAddress({ redirectUri, scope, state, codeChallenge }) {
      return buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri.href,
        scope,
        state,
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      })
    },
    attributesOf(callback, { state, codeVerifier }, recorder) {
      const ask = async () => {
        const tokens = await authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          pkceCodeVerifier: codeVerifier,
        })
        return userOf(configuration, tokens.access_token)
      }
      return exchange(() => recorded(recorder, ask))
    },
  }
}
