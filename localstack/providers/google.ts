import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Configuration, type InteractionResults, interactionPolicy, Provider } from 'oidc-provider'
import { isLoopbackName } from '../../lib/runtime/address.ts'
import { CLIENT_NAME } from '../lab/call.ts'
import { attackIn, forgetAttack, mountAttacks, orderedAttack, type SeeLogin } from './attacks.ts'
import { type DemoIdentity, identitiesOf, type RegisteredClient } from './client.ts'
import { type OpenClient, publicClient } from './clients.ts'
import type { OpenFault } from './faults.ts'
import type { Keys } from './keys.ts'
import { chosenOf, type DemoProvider, devicePages, foreignRefusal, providerLoginPage, send } from './pages.ts'

const IDENTITIES = identitiesOf('google')
const INTERACTION = '/interaction/'
const HOUR = 3600
const { base, Check } = interactionPolicy

type Middleware = Parameters<Provider['use']>[0]

export type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>

interface Issuer {
  /** Its address; a path is not in the addresses of the requests that it serves. */
  readonly issuer: string
  readonly keys: Keys
  /** Gatehouse as a client; absent where there is a fault. */
  readonly own?: RegisteredClient
  /** Those of the user; undefined to take every name as a public client. */
  readonly clients: readonly OpenClient[] | undefined
  readonly fault?: OpenFault
  readonly watch: (provider: Provider) => SeeLogin
}

/** An OpenID provider with Google's claims and a login page that asks at every login for the user. */
export function googleServer(about: Issuer): Serve {
  const { issuer, keys, own, clients, fault, watch } = about
  const provider = new Provider(issuer, configurationOf(about))
  if (clients === undefined) takeAnyClient(provider)
  provider.use(keepNoCookie)
  mountAttacks(provider, keys, fault, watch(provider))
  const answer = provider.callback()

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response)
    const { client_id: id, redirect_uri: redirectUri = issuer, scope, login_hint: hint } = params
    const isOwn = id === own?.id
    const result = await resultOf(request, isOwn ? undefined : hint)
    if (result) return provider.interactionFinished(request, response, result)
    const place = placeOf(about, isOwn ? undefined : { id: String(id), redirectUri: String(redirectUri) })
    const attack = isOwn ? { attack: orderedAttack(request) } : {}
    const page = providerLoginPage(place, { identities: IDENTITIES, scope: String(scope), ...attack })
    send({ ...page, headers: { ...page.headers, ...(isOwn && forgetAttack) } }, response)
  }

  return async (request, response) => {
    const { url = '/' } = request
    // Each login is a new one: no user has to log out first.
    if (url.startsWith('/auth?')) delete request.headers.cookie
    if (!url.startsWith(INTERACTION)) return answer(request, response)
    try {
      await interact(request, response)
    } catch {
      send(foreignRefusal(placeOf(about), 400, 'It took too long, or it is over already. Begin again.'), response)
    }
  }
}

/** What the user chose; undefined before that. @param hint the username or the address of who needs no page */
async function resultOf(request: IncomingMessage, hint: unknown): Promise<InteractionResults | undefined> {
  const hinted = IDENTITIES.find(({ login, email }) => hint === login || hint === email)
  if (hinted) return { login: { accountId: hinted.id, remember: false } }
  if (request.method !== 'POST') return undefined
  const form = new URLSearchParams(await text(request))
  const chosen = chosenOf(form, IDENTITIES)
  if (!chosen) return { error: 'access_denied', error_description: 'The user canceled' }
  return { login: { accountId: chosen.id, remember: false }, attack: attackIn(form) }
}

const DATE = /; expires=(?!Thu, 01 Jan 1970)[^;]*/i

/** Has the browser keep cookies until it ends: its clock may be another than this one. */
const keepNoCookie: Middleware = async ({ response }, next) => {
  await next()
  const { 'set-cookie': cookies } = response.headers
  if (Array.isArray(cookies)) response.set({ 'set-cookie': cookies.map((cookie) => cookie.replace(DATE, '')) })
}

/** @param client of the user; without it, Gatehouse */
function placeOf({ issuer, own }: Issuer, client?: Pick<RegisteredClient, 'id' | 'redirectUri'>): DemoProvider {
  const { host } = new URL(issuer)
  if (client === undefined && own) return { provider: 'google', host, client: own }
  return { provider: 'google', host, client: client ?? { id: 'your client', redirectUri: issuer }, isOpen: true }
}

/** Takes each name for a public client: PKCE alone proves it, and it is on this machine, at any port and path. */
function takeAnyClient({ Client }: Provider): void {
  const find = Client.find.bind(Client)
  Client.find = async (id) => {
    const known = await find(id)
    if (known || !CLIENT_NAME.test(id)) return known
    return Object.assign(Reflect.construct(Client, [publicClient(id)]), { redirectUriAllowed: isLoopback })
  }
}

function isLoopback(text: string): boolean {
  const address = URL.parse(text)
  return address?.protocol === 'http:' && isLoopbackName(address.hostname)
}

function configurationOf(about: Issuer): Configuration {
  const { issuer, own, clients = [], keys, fault } = about
  const gatehouse = own && {
    client_id: own.id,
    client_secret: own.secret,
    redirect_uris: [own.redirectUri],
    token_endpoint_auth_method: 'client_secret_post' as const,
  }
  return {
    clients: [...(gatehouse ? [gatehouse] : []), ...clients],
    jwks: { keys: keys.jwks.map(({ kty = 'RSA', ...jwk }) => ({ kty, ...jwk })) },
    cookies: { keys: keys.cookieKeys },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'picture'],
    },
    clientAuthMethods: ['client_secret_post', 'client_secret_basic', 'none'],
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
    conformIdTokenClaims: false,
    pkce: {
      required: (_, { clientId, clientAuthMethod }) =>
        fault !== 'pkce-unasked' && (clientId === own?.id || clientAuthMethod === 'none'),
    },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      deviceFlow: { enabled: true, ...devicePages(placeOf(about, { id: 'your device', redirectUri: issuer })) },
    },
    // A page of this machine may be a client.
    clientBasedCORS: () => true,
    interactions: {
      url: (_, { uid }) => `${new URL(issuer).pathname.replace(/\/$/, '')}${INTERACTION}${uid}`,
      policy: askEveryTime(),
    },
    findAccount: (_, id) => {
      const identity = IDENTITIES.find((candidate) => candidate.id === id)
      return identity && { accountId: id, claims: () => claimsOf(identity) }
    },
    async renderError(context, { error, error_description: reason }) {
      const { headers = {}, body } = foreignRefusal(placeOf(about), context.status, reason ?? error)
      context.set(headers)
      context.body = body
    },
    // A login implies consent: there is no page for that.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        ...(oidc.client && { clientId: oidc.client.clientId }),
        ...(oidc.session?.accountId && { accountId: oidc.session.accountId }),
      })
      grant.addOIDCScope('openid email profile offline_access')
      await grant.save()
      return grant
    },
    issueRefreshToken: async (_, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    ...(fault === 'refresh-rotated' && { rotateRefreshToken: true }),
    ttl: { AccessToken: HOUR, AuthorizationCode: 60, IdToken: HOUR, Interaction: 600, Grant: 24 * HOUR, Session: HOUR },
  }
}

function askEveryTime() {
  const policy = base()
  const isAnswered = new Check('choose_user', 'the user chooses who to be', ({ oidc }) =>
    oidc.result?.login ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT,
  )
  policy.get('login')?.checks.add(isAnswered)
  return policy
}

function claimsOf({ id, name, email, isEmailVerified, picture }: DemoIdentity) {
  const [given = '', family = ''] = (name ?? '').split(' ')
  return {
    sub: id,
    name: name ?? undefined,
    given_name: given,
    family_name: family,
    email: email ?? undefined,
    email_verified: isEmailVerified,
    picture: picture ?? undefined,
  }
}
