import { constants, createHmac, createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type MutableRedirectUri, type MutableResponse, type MutableToken, OAuth2Server } from 'oauth2-mock-server'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openIdProvider } from '../../lib/adapters/oidc/openid.ts'
import { githubProvider } from '../../lib/adapters/oidc/plain.ts'
import { followOnce, loginWith } from '../support/oauth2-flow.ts'

const CLIENT = { clientId: 'gatehouse', clientSecret: { current: 'the-secret-of-the-client' } }

const openIdAt = (issuer: URL) => openIdProvider({ ...CLIENT, issuer, scope: 'openid profile email' })

const liar = new OAuth2Server()

beforeAll(async () => {
  await liar.issuer.keys.generate('RS256', { kid: 'first' })
  await liar.start(0, '127.0.0.1')
})
afterAll(() => liar.stop())
afterEach(() => {
  liar.service.removeAllListeners()
  vi.useRealTimers()
})

const issuerUrl = () => new URL(liar.issuer.url ?? '')
const login = (provider = openIdAt(issuerUrl())) => loginWith('google', provider, followOnce)

/** Changes the ID token; the access token, which has a scope, stays as it is. */
function onIdToken(change: (token: MutableToken) => void): void {
  liar.service.on('beforeTokenSigning', (token: MutableToken) => {
    if (!('scope' in token.payload)) change(token)
  })
}

/** Replaces the finished ID token by one made of its claims. */
function replaceIdToken(make: (claims: object) => string): void {
  let claims = {}
  onIdToken(({ payload }) => {
    claims = { ...payload }
  })
  liar.service.on('beforeResponse', ({ body }: MutableResponse) =>
    Object.assign(Object(body), { id_token: make(claims) }),
  )
}

const foreignKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

const signable = (header: object, claims: object) =>
  [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')

function signedBy(key: KeyObject, claims: object): string {
  const text = signable({ alg: 'RS256', kid: 'first' }, claims)
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

describe('a provider that is honest', () => {
  it('receives one request for its keys, which is a step of the first login only', async () => {
    const provider = openIdAt(issuerUrl())
    const stepsOf = async () => (await login(provider)).users[0]?.oauth2?.login?.steps.map(({ name }) => name)
    expect(await stepsOf()).toEqual(['authorization', 'callback', 'token', 'keys', 'user'])
    expect(await stepsOf()).toEqual(['authorization', 'callback', 'token', 'user'])
  })

  it('logs its user in with an ID token from this test, if the key is the right one', async () => {
    const key = createPrivateKey({ key: { ...liar.issuer.keys.get('first') }, format: 'jwk' })
    replaceIdToken((claims) => signedBy(key, claims))
    expect((await login()).users).toHaveLength(1)
  })
})

describe('O02, O05 a provider that lies cannot log a user in', () => {
  it.each<[string, () => void, string, string | undefined]>([
    [
      'with an ID token for another client',
      () => onIdToken((token) => (token.payload['aud'] = 'other')),
      'OAUTH_JWT_CLAIM',
      'audience',
    ],
    [
      'with an ID token for us and, as azp, another client',
      () => onIdToken(({ payload }) => Object.assign(payload, { aud: [CLIENT.clientId, 'other'], azp: 'other' })),
      'OAUTH_',
      'audience',
    ],
    [
      'with an ID token of another issuer',
      () => onIdToken((token) => (token.payload.iss = 'https://accounts.google.com')),
      'OAUTH_JWT_CLAIM',
      'issuer',
    ],
    [
      'with an ID token of another login',
      () => onIdToken((token) => (token.payload['nonce'] = 'n')),
      'OAUTH_JWT_CLAIM',
      'nonce',
    ],
    [
      'with an ID token without a login',
      () => onIdToken(({ payload }) => void Reflect.deleteProperty(payload, 'nonce')),
      'OAUTH_INVALID_RESPONSE',
      undefined,
    ],
    [
      'with an expired ID token',
      () => onIdToken(({ payload }) => Object.assign(payload, { iat: payload.iat - 7200, exp: payload.iat - 3600 })),
      'OAUTH_JWT_TIMESTAMP',
      'expiry',
    ],
    [
      'with an ID token without a subject',
      () => onIdToken(({ payload }) => void Reflect.deleteProperty(payload, 'sub')),
      'OAUTH_INVALID_RESPONSE',
      undefined,
    ],
    [
      'with an ID token under the key of another issuer',
      () => replaceIdToken((claims) => signedBy(foreignKey, claims)),
      'OAUTH_INVALID_RESPONSE',
      'signature',
    ],
    [
      'with an unsigned ID token',
      () => replaceIdToken((claims) => `${signable({ alg: 'none' }, claims)}.`),
      'OAUTH_',
      'algorithm',
    ],
    [
      "with an ID token under the client's own secret",
      () =>
        replaceIdToken((claims) => {
          const signed = signable({ alg: 'HS256' }, claims)
          return `${signed}.${createHmac('sha256', CLIENT.clientSecret.current).update(signed).digest('base64url')}`
        }),
      'OAUTH_',
      'algorithm',
    ],
    [
      'with an ID token under the right key, but another algorithm than the agreed one',
      () => {
        const key = createPrivateKey({ key: { ...liar.issuer.keys.get('first') }, format: 'jwk' })
        replaceIdToken((claims) => {
          const text = signable({ alg: 'PS256', kid: 'first' }, claims)
          const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }
          return `${text}.${sign('sha256', Buffer.from(text), pss).toString('base64url')}`
        })
      },
      'OAUTH_',
      'algorithm',
    ],
    [
      'without an ID token',
      () =>
        liar.service.on(
          'beforeResponse',
          ({ body }: MutableResponse) => void Reflect.deleteProperty(Object(body), 'id_token'),
        ),
      'OAUTH_INVALID_RESPONSE',
      undefined,
    ],
    [
      'with another user at the userinfo endpoint',
      () => liar.service.on('beforeUserinfo', (response: MutableResponse) => (response.body = { sub: 'mallory' })),
      'OAUTH_JSON_ATTRIBUTE',
      'subject',
    ],
    ['with an error for a token', () => refuseCode('<script>'), 'OAUTH_RESPONSE_BODY_ERROR', 'code'],
    [
      'with an error that contains the verifier',
      () => refuseCode('Invalid code verifier.'),
      'OAUTH_RESPONSE_BODY_ERROR',
      'pkce',
    ],
    [
      'with a key that it does not publish',
      () => replaceIdToken((claims) => `${signable({ alg: 'RS256', kid: 'unknown' }, claims)}.c2ln`),
      'OAUTH_KEY_SELECTION_FAILED',
      'signature',
    ],
    ['without the issuer that it announced (RFC 9207)', () => announceIssuer(), 'OAUTH_INVALID_RESPONSE', 'iss'],
    [
      'with the name of another issuer (RFC 9207)',
      () => {
        announceIssuer()
        liar.service.on('beforeAuthorizeRedirect', ({ url }: MutableRedirectUri) =>
          url.searchParams.set('iss', 'https://evil.example'),
        )
      },
      'OAUTH_INVALID_RESPONSE',
      'iss',
    ],
    [
      'with another state',
      () =>
        liar.service.on('beforeAuthorizeRedirect', ({ url }: MutableRedirectUri) =>
          url.searchParams.set('state', `${url.searchParams.get('state')}x`),
        ),
      '',
      'state',
    ],
  ])('%s', async (_, lie, code, refusing) => {
    lie()
    const { location, users, reason, code: logged = '', check, entry, log } = await login()
    // Nobody knows where a login of another state wanted to go.
    const back = code === '' ? '' : '&returnTo=%2Fwanted'
    expect(location).toBe(`/login?error=provider&id=google&fault=${entry['fault']}${back}`)
    expect(users).toEqual([])
    expect(reason).toBe(code === '' ? 'state-mismatch' : 'answer-rejected')
    expect(check).toBe(refusing)
    expect(logged).toMatch(new RegExp(`^${code}`))
    expect(log).not.toMatch(/ey[\w-]{20}|<script>|the-secret/)
  })

  it('O14 with the metadata of another issuer, before the redirect', async () => {
    liar.service.on('beforeWellKnownOpenIdConfiguration', ({ body }: MutableResponse) =>
      Object.assign(Object(body), { issuer: 'https://accounts.google.com' }),
    )
    expect(await login()).toMatchObject({ users: [], reason: 'metadata-rejected', entry: { fault: 'settings' } })
  })
})

function refuseCode(description: string): void {
  liar.service.on('beforeResponse', (response: MutableResponse) => {
    response.statusCode = 400
    response.body = { error: 'invalid_grant', error_description: description }
  })
}

function announceIssuer(): void {
  liar.service.on('beforeWellKnownOpenIdConfiguration', ({ body }: MutableResponse) =>
    Object.assign(Object(body), { authorization_response_iss_parameter_supported: true }),
  )
}

describe('O07 a provider that changes its keys', () => {
  it('receives requests for the new ones, at most one per minute', async () => {
    const rotating = new OAuth2Server()
    await rotating.issuer.keys.generate('RS256', { kid: 'old' })
    await rotating.start(0, '127.0.0.1')
    const provider = openIdAt(new URL(rotating.issuer.url ?? ''))
    expect((await login(provider)).users).toHaveLength(1)
    await rotating.issuer.keys.generate('RS256', { kid: 'new' })
    // Keys take turns there, and each login wants two signatures: the ID token's is now by the new one.
    expect(await login(provider)).toMatchObject({ users: [], code: 'OAUTH_KEY_SELECTION_FAILED' })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    expect((await login(provider)).users).toHaveLength(1)
    vi.useRealTimers()
    await rotating.stop()
  })
})

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

const BROKEN: readonly [string, RequestListener][] = [
  ['never answers', () => {}],
  ['hangs up', (_, response) => void response.destroy()],
  ['answers 500', (_, response) => void response.writeHead(500).end('oops')],
  ['sends without an end', (_, response) => flood(response)],
  ['sends byte by byte', (_, response) => drip(response)],
]

function flood(response: Parameters<RequestListener>[1]): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const more = () => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  }
  response.on('drain', more)
  more()
}

function drip(response: Parameters<RequestListener>[1]): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 100)
  response.on('close', () => clearInterval(timer))
}

describe.concurrent('O07 a provider with a failure', () => {
  it.each(BROKEN)('%s: the start of a login is refused, and the next login tries again', async (_, listener) => {
    let isMended = false
    const address = await serve((request, response) => {
      if (!isMended) return listener(request, response)
      const { origin } = address
      const metadata = { issuer: origin, authorization_endpoint: `${origin}/a`, token_endpoint: `${origin}/t` }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata))
    })
    const provider = openIdAt(address)
    const begin = () => loginWith('google', provider, async () => new URL('https://gatehouse.example/?state=1'))
    await expect(begin()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    isMended = true
    expect((await begin()).location).toBe('/login?error=provider&id=google&fault=person')
  })

  it.each(
    BROKEN.flatMap(([what, listener]) => (['/token', '/user'] as const).map((at) => [what, at, listener] as const)),
  )('%s at the request for %s: no session', async (_, at, listener) => {
    const address = await serve((request, response) => {
      if (request.url === at) return listener(request, response)
      const tokens = { access_token: 'a', token_type: 'bearer' }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tokens))
    })
    const { location, users, reason } = await loginWith('github', githubAt(address), backWithCode)
    const back = '/login?error=provider&id=github&fault=provider&returnTo=%2Fwanted'
    const refused = { location: back, users: [], reason: 'unavailable' }
    expect({ location, users, reason }).toEqual(refused)
  })
})

async function backWithCode(location: URL): Promise<URL> {
  const callback = new URL(location.searchParams.get('redirect_uri') ?? '')
  callback.search = `code=c&state=${location.searchParams.get('state')}`
  return callback
}

describe('github', () => {
  it.each([404, 403])('may refuse the e-mail addresses with %d', async (status) => {
    const { users } = await loginWith('github', await githubThat(status, '[]'), backWithCode)
    expect(users).toMatchObject([{ username: 'github:7', oauth2: { email: null, name: 'octo' } }])
  })

  it.each<[string, number, string]>([
    ['a user without an id', 200, '{"login":"octo"}'],
    ['a text that is not JSON', 200, '<html>'],
    ['a list', 200, '[1]'],
    ['a refusal', 401, '{"message":"Bad credentials"}'],
    ['a redirect', 302, '{}'],
  ])('cannot log a user in with %s', async (_, status, user) => {
    const { location, users } = await loginWith('github', await githubThat(200, '[]', status, user), backWithCode)
    expect(location).toMatch(/^\/login\?error=provider&id=github&fault=\w+&returnTo=%2Fwanted$/)
    expect(users).toEqual([])
  })
})

const OCTO = '{"id":7,"login":"octo"}'

async function githubThat(emailsStatus: number, emails: string, userStatus = 200, user = OCTO) {
  const answers: Readonly<Record<string, [number, string]>> = {
    '/token': [200, '{"access_token":"a","token_type":"bearer"}'],
    '/user': [userStatus, user],
    '/user/emails': [emailsStatus, emails],
  }
  const address = await serve((request, response) => {
    const [status, body] = answers[request.url ?? ''] ?? [404, '{}']
    response.writeHead(status, { 'content-type': 'application/json', location: '/elsewhere' }).end(body)
  })
  return githubAt(address)
}

function githubAt(api: URL) {
  return githubProvider(CLIENT, { authorization: new URL('/authorize', api), token: new URL('/token', api), api })
}
