import { decodeProtectedHeader } from 'jose'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  None,
  type ServerMetadata,
} from 'openid-client'
import { type IdentityProvider, LoginRefused } from '../../auth/oauth2/identity-provider.ts'
import type { StepRecorder } from '../../auth/oauth2/steps.ts'
import { memoizeAsync } from '../../runtime/cache.ts'
import type { OidcClient } from '../../runtime/settings/oidc.ts'
import { configured, exchange, type OAuthClient, REQUEST_SECONDS, refusalOf, SECRET_METHODS } from './exchange.ts'
import { boundedFetch, recorded } from './recorded-fetch.ts'

/** A client with a secret, or a public one. */
export interface OpenIdClient extends Pick<OidcClient, 'issuer' | 'clientId' | 'scope' | 'roles'> {
  readonly clientSecret?: OAuthClient['clientSecret'] | undefined
}

/** A provider with OpenID Connect. Its address may be an http one only where the settings allow it. */
export function openIdProvider(client: OpenIdClient): IdentityProvider {
  // The metadata is fetched once for each instance of a function.
  const configurationOf = memoizeAsync(() => discover(client))
  return {
    roles: client.roles,
    async authorizationAddress({ redirectUri, state, nonce, codeChallenge }) {
      const configuration = await configurationOf()
      try {
        return buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri.href,
          scope: client.scope,
          state,
          nonce,
          code_challenge: codeChallenge,
          code_challenge_method: 'S256',
        })
      } catch (error) {
        throw refusalOf(error, 'metadata-rejected')
      }
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
        if (configuration.serverMetadata().userinfo_endpoint === undefined) return claims
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

/** @throws ServiceError `UNAVAILABLE`; LoginRefused for metadata that cannot be used */
async function discover(client: OpenIdClient): Promise<Configuration> {
  const { issuer, clientId } = client
  const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : []
  const options = { execute, timeout: REQUEST_SECONDS, [customFetch]: boundedFetch }
  try {
    const found = (await discovery(issuer, clientId, undefined, None(), options)).serverMetadata() as ServerMetadata
    const usable: ServerMetadata = { ...found, id_token_signing_alg_values_supported: algorithmsOf(found) }
    const { token_endpoint = '', jwks_uri = '', userinfo_endpoint = '' } = found
    const steps = { [token_endpoint]: 'token', [jwks_uri]: 'keys', [userinfo_endpoint]: 'user' } as const
    const configuration = configured(usable, clientId, authenticationOf(client, found), steps)
    // By default the library trusts the connection and skips the ID token's signature.
    enableNonRepudiationChecks(configuration)
    return configuration
  } catch (error) {
    throw refusalOf(error, 'metadata-rejected')
  }
}

/** Those that every key set can be checked with; none of them uses a secret. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']

function algorithmsOf({ issuer, id_token_signing_alg_values_supported: named = ['RS256'] }: ServerMetadata): string[] {
  const usable = ALGORITHMS.filter((name) => named.includes(name))
  const code = issuer.includes('{') ? 'MANY_TENANTS' : 'NO_ALGORITHM'
  if (usable.length === 0 || code === 'MANY_TENANTS') throw new LoginRefused('metadata-rejected', { code })
  return usable
}

/**
 * OpenID Connect Discovery section 3: `client_secret_basic` if the provider names no method. Where all clients are public,
 * no secret is sent.
 */
function authenticationOf({ clientSecret }: OpenIdClient, metadata: ServerMetadata): ClientAuth {
  if (!clientSecret) return None()
  const { token_endpoint_auth_methods_supported: named = ['client_secret_basic'] } = metadata
  const method = Object.entries(SECRET_METHODS).find(([name]) => named.includes(name))
  if (!method && named.includes('none')) return None()
  if (!method) throw new LoginRefused('metadata-rejected', { code: 'NO_CLIENT_AUTHENTICATION' })
  return (...call) => method[1](clientSecret.current)(...call)
}
