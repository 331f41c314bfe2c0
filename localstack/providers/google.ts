import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider'
import { type DemoIdentity, identitiesOf } from './identity.ts'
import { keptKeys } from './keys.ts'
import { chosenOf, providerLoginPage } from './login-page.ts'
import type { RegisteredClient } from './run.ts'

const IDENTITIES = identitiesOf('google')
const INTERACTION = '/interaction/'
const { base, Check } = interactionPolicy

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** An OpenID provider with Google's claims and a login page that asks at every login for the user. */
export function googleServer(issuer: string, client: RegisteredClient, keysFile: string | undefined): Serve {
  const provider = new Provider(issuer, configurationOf(client, keysFile))
  const serve = provider.callback()

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      await provider.interactionDetails(request, response)
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(providerLoginPage('google', IDENTITIES))
      return
    }
    const chosen = chosenOf(new URLSearchParams(await text(request)), IDENTITIES)
    const result = chosen
      ? { login: { accountId: chosen.id, remember: false } }
      : { error: 'access_denied', error_description: 'The user cancelled' }
    await provider.interactionFinished(request, response, result)
  }

  return async (request, response) => {
    if (!request.url?.startsWith(INTERACTION)) return serve(request, response)
    try {
      await interact(request, response)
    } catch {
      response.writeHead(400).end('This login is over.')
    }
  }
}

function configurationOf(client: RegisteredClient, keysFile: string | undefined): Configuration {
  const { jwks, cookieKeys } = keptKeys(keysFile)
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
