import type { DemoIdentity, RegisteredClient } from './client.ts'
import { type AuthorizationServer, authorizationServer } from './oauth2.ts'
import { jsonResponse, type ProviderResponse, type Request, type Respond } from './pages.ts'

/** The version of the Graph API is part of each path. */
export const VERSION = '/v23.0'

const TOKEN_SECONDS = 5_184_000

/** Facebook's side of a login: developers.facebook.com, "Manually build a login flow" and "Graph API: User". */
export function facebookServer(client: RegisteredClient): Respond {
  const server = authorizationServer('facebook', client)
  const routes: Readonly<Record<string, (request: Request) => ProviderResponse>> = {
    [`GET ${VERSION}/dialog/oauth`]: server.authorize,
    [`POST ${VERSION}/dialog/oauth`]: server.authorize,
    [`GET ${VERSION}/oauth/access_token`]: ({ url }) => tokenAnswer(server, url.searchParams),
    [`POST ${VERSION}/oauth/access_token`]: ({ form }) => tokenAnswer(server, form),
    [`GET ${VERSION}/me`]: (request) => meAnswer(server, request),
  }
  return (request) =>
    routes[`${request.method} ${request.url.pathname}`]?.(request) ??
    server.refusalTo(request, refusal(404, 'Unknown path', 2500), 'This provider does not know the address.')
}

function refusal(status: number, message: string, code: number): ProviderResponse {
  return jsonResponse({ error: { message, type: 'OAuthException', code } }, status)
}

function tokenAnswer(server: AuthorizationServer, parameters: URLSearchParams): ProviderResponse {
  const redeemed = server.redeem(parameters)
  if (redeemed === 'client') return refusal(400, 'Error validating client secret.', 1)
  if (redeemed === 'code') return refusal(400, 'Error validating verification code.', 100)
  return jsonResponse({ access_token: redeemed.token, token_type: 'bearer', expires_in: TOKEN_SECONDS })
}

function meAnswer(server: AuthorizationServer, { authorization, url }: Request): ProviderResponse {
  const token = url.searchParams.get('access_token') ?? authorization.replace(/^bearer /i, '')
  const grant = server.grantOf(token)
  if (!grant) return refusal(400, 'Invalid OAuth access token.', 190)
  const wanted = (url.searchParams.get('fields') ?? 'id,name').split(',')
  const fields = Object.entries(fieldsOf(grant.identity, grant.scope))
  return jsonResponse(
    Object.fromEntries(fields.filter(([name, value]) => value !== undefined && wanted.includes(name))),
  )
}

/** Graph omits the fields that a user does not have. */
function fieldsOf({ id, name, email, picture }: DemoIdentity, scope: string) {
  return {
    id,
    name: name ?? undefined,
    email: scope.includes('email') ? (email ?? undefined) : undefined,
    picture: picture === null ? undefined : { data: { height: 50, width: 50, is_silhouette: false, url: picture } },
  }
}
