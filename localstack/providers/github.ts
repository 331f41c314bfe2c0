import type { RegisteredClient } from './client.ts'
import { type AuthorizationServer, authorizationServer } from './oauth2.ts'
import { jsonResponse, type ProviderResponse, type Request, type Respond } from './pages.ts'

/** GitHub's error codes for a wrong token request; GitHub sends them with status 200. */
const ERRORS = { client: 'incorrect_client_credentials', code: 'bad_verification_code' } as const

/**
 * GitHub's side of a login, with its peculiarities: docs.github.com, "Authorizing OAuth apps" and "REST API: Users".
 */
export function githubServer(client: RegisteredClient): Respond {
  const server = authorizationServer('github', client)
  const routes: Readonly<Record<string, (request: Request) => ProviderResponse>> = {
    'GET /login/oauth/authorize': server.authorize,
    'POST /login/oauth/authorize': server.authorize,
    'POST /login/oauth/access_token': (request) => tokenAnswer(server, request),
    'GET /user': (request) => userAnswer(server, request),
    'GET /user/emails': (request) => emailsAnswer(server, request),
  }
  return (request) =>
    routes[`${request.method} ${request.url.pathname}`]?.(request) ?? server.refusalTo(request, NOT_FOUND, UNKNOWN)
}

const UNKNOWN = 'This provider does not know the address.'
const NOT_FOUND = jsonResponse({ message: 'Not Found', documentation_url: 'https://docs.github.com/rest' }, 404)
const BAD_CREDENTIALS = jsonResponse(
  { message: 'Bad credentials', documentation_url: 'https://docs.github.com/rest' },
  401,
)

/** Answers with a form, unless the request accepts JSON. */
function tokenAnswer(server: AuthorizationServer, { form, accept }: Request): ProviderResponse {
  const redeemed = server.redeem(form)
  const body: Record<string, string> =
    typeof redeemed === 'string'
      ? { error: ERRORS[redeemed], error_description: 'The request is refused.' }
      : { access_token: redeemed.token, token_type: 'bearer', scope: redeemed.scope.replaceAll(' ', ',') }
  if (accept.includes('json')) return jsonResponse(body)
  return {
    status: 200,
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: new URLSearchParams(body).toString(),
  }
}

function userAnswer(server: AuthorizationServer, request: Request): ProviderResponse {
  const grant = grantOf(server, request)
  if (!grant) return BAD_CREDENTIALS
  const { id, login, name, picture } = grant.identity
  return jsonResponse({
    login,
    id: Number(id),
    avatar_url: picture,
    html_url: `https://github.com/${login}`,
    type: 'User',
    name,
    email: null,
  })
}

function emailsAnswer(server: AuthorizationServer, request: Request): ProviderResponse {
  const grant = grantOf(server, request)
  if (!grant) return BAD_CREDENTIALS
  if (!grant.scope.split(' ').includes('user:email')) return NOT_FOUND
  const { email, isEmailVerified, login } = grant.identity
  return jsonResponse([
    { email: `${login}@users.noreply.github.com`, primary: false, verified: true, visibility: null },
    { email, primary: true, verified: isEmailVerified, visibility: 'private' },
  ])
}

function grantOf(server: AuthorizationServer, { authorization }: Request) {
  return server.grantOf(authorization.replace(/^(?:bearer|token) /i, ''))
}
