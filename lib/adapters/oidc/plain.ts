import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretPost,
  type Configuration,
} from 'openid-client'
import * as z from 'zod/mini'
import { type Attributes, type IdentityProvider, LoginRefused } from '../../auth/oauth2/identity-provider.ts'
import type { StepName } from '../../contract/login-steps.ts'
import { below, configured, exchange, type OAuthClient, resource } from './exchange.ts'
import { recorded } from './recorded-fetch.ts'

interface OAuthEndpoints {
  readonly authorization: URL
  readonly token: URL
  readonly api: URL
}

/**
 * A provider without OpenID Connect: no discovery, no ID token; its own API identifies the user.
 * @param issuer its name in a callback's `iss`, should it send one (RFC 9207)
 * @param resources the addresses of its API that `userOf` asks, and which step that is
 */
function plainProvider(
  { clientId, clientSecret }: OAuthClient,
  { authorization, token }: OAuthEndpoints,
  issuer: string,
  scope: string,
  resources: Readonly<Record<string, StepName>>,
  userOf: (configuration: Configuration, accessToken: string) => Promise<Attributes>,
): IdentityProvider {
  const server = { issuer, authorization_endpoint: authorization.href, token_endpoint: token.href }
  const secretPost: ClientAuth = (...call) => ClientSecretPost(clientSecret.current)(...call)
  const configuration = configured(server, clientId, secretPost, { [token.href]: 'token', ...resources })
  return {
    async authorizationAddress({ redirectUri, state, codeChallenge }) {
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

const object = z.record(z.string(), z.unknown())

/** The Graph API answers only with the fields that a request names. */
const FIELDS = 'id,name,email,picture'

export function facebookProvider(client: OAuthClient, endpoints: OAuthEndpoints): IdentityProvider {
  const me = below(endpoints.api, '/me')
  const resources = { [me.href]: 'user' } as const
  const { origin } = endpoints.authorization
  return plainProvider(
    client,
    endpoints,
    origin,
    'public_profile email',
    resources,
    async (configuration, accessToken) =>
      object.parse(await resource(configuration, accessToken, new URL(`?fields=${FIELDS}`, me))),
  )
}

/** The user chooses the e-mail address of `/user`; the list of addresses shows which is verified. */
export function githubProvider(client: OAuthClient, endpoints: OAuthEndpoints): IdentityProvider {
  const issuer = new URL('.', endpoints.authorization).href.replace(/\/$/, '')
  const [userUrl, emailsUrl] = [below(endpoints.api, '/user'), below(endpoints.api, '/user/emails')]
  const resources = { [userUrl.href]: 'user', [emailsUrl.href]: 'emails' } as const
  return plainProvider(
    client,
    endpoints,
    issuer,
    'read:user user:email',
    resources,
    async (configuration, accessToken) => {
      const [user, emails] = await Promise.all([
        resource(configuration, accessToken, userUrl),
        resource(configuration, accessToken, emailsUrl).catch(noneGranted),
      ])
      return { ...object.parse(user), emails }
    },
  )
}

/** The user may withhold the e-mail scope. */
function noneGranted(error: unknown): readonly never[] {
  if (error instanceof LoginRefused && NOT_GRANTED.includes(error.code)) return []
  throw error
}

const NOT_GRANTED: readonly (string | undefined)[] = ['HTTP_403', 'HTTP_404']
