import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider'
import { attackIn, forgetAttack, mountAttacks, orderedAttack } from './attacks.ts'
import { type DemoIdentity, identitiesOf, type RegisteredClient } from './client.ts'
import { type Keys, keptKeys } from './keys.ts'
import { chosenOf, type DemoProvider, foreignRefusal, type ProviderResponse, providerLoginPage } from './pages.ts'

const IDENTITIES = identitiesOf('google')
const INTERACTION = '/interaction/'
const { base, Check } = interactionPolicy

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** An OpenID provider with Google's claims and a login page that asks at every login for the user. */
export function googleServer(issuer: string, client: RegisteredClient, keysFile: string | undefined): Serve {
  const place: DemoProvider = { provider: 'google', host: new URL(issuer).host, client }
  const keys = keptKeys(keysFile)
  const provider = new Provider(issuer, configurationOf(place, keys))
  mountAttacks(provider, keys)
  const serve = provider.callback()

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      const { params } = await provider.interactionDetails(request, response)
      const scope = String(params['scope'])
      const page = providerLoginPage(place, { identities: IDENTITIES, scope, attack: orderedAttack(request) })
      return send({ ...page, headers: { ...page.headers, ...forgetAttack } }, response)
    }
    const form = new URLSearchParams(await text(request))
    const chosen = chosenOf(form, IDENTITIES)
    const result = chosen
      ? { login: { accountId: chosen.id, remember: false }, attack: attackIn(form) }
      : { error: 'access_denied', error_description: 'The user canceled' }
    await provider.interactionFinished(request, response, result)
  }

  return async (request, response) => {
    if (!request.url?.startsWith(INTERACTION)) return serve(request, response)
    try {
      await interact(request, response)
    } catch {
      send(foreignRefusal(place, 400, 'It took too long, or it is over already. Begin again at Gatehouse.'), response)
    }
  }
}

function send({ status, headers, body }: ProviderResponse, response: ServerResponse): void {
  response.writeHead(status, { 'cache-control': 'no-store', ...headers }).end(body)
}

function configurationOf(place: DemoProvider, { jwks, cookieKeys }: Keys): Configuration {
  const { client } = place
  return {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: jwks.map(({ kty = 'RSA', ...jwk }) => ({ kty, ...jwk })) },
    cookies: { keys: cookieKeys },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'picture'],
    },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `${INTERACTION}${uid}`, policy: askEveryTime() },
    findAccount: (_, id) => {
      const identity = IDENTITIES.find((candidate) => candidate.id === id)
      return identity && { accountId: id, claims: () => claimsOf(identity) }
    },
    async renderError(context, { error, error_description: reason }) {
      const { headers = {}, body } = foreignRefusal(place, context.status, reason ?? error)
      context.set(headers)
      context.body = body
    },
    // A login implies consent: there is no page for that.
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        ...(oidc.client && { clientId: oidc.client.clientId }),
        ...(oidc.session?.accountId && { accountId: oidc.session.accountId }),
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
    ttl: { AccessToken: 3600, AuthorizationCode: 60, IdToken: 3600, Interaction: 600, Grant: 3600, Session: 3600 },
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
