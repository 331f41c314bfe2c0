import { once } from 'node:events'
import { createServer } from 'node:http'
import * as oauth from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenClient } from '../../../../localstack/providers/clients.ts'
import { openProvider } from '../../../../localstack/providers/open.ts'
import { guard, providerGate } from '../../../../localstack/stack/guard.ts'
import { cookieJar } from '../../../support/cookie-jar.ts'
import { freePort } from '../../../support/free-port.ts'
import { followLogin } from '../../../support/open-login.ts'

const CALLBACK = 'http://127.0.0.1:8765/callback'
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const SECRET = 'a secret: with % and +'
const common = {
  client_secret: SECRET,
  redirect_uris: [],
  response_types: [],
  id_token_signed_response_alg: 'RS256' as const,
}
const CLIENTS: readonly OpenClient[] = [
  {
    ...{ client_id: 'page', redirect_uris: [CALLBACK], response_types: ['code'], grant_types: ['authorization_code'] },
    ...{ token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'ES256' },
  },
  {
    ...common,
    client_id: 'job',
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_basic',
  },
  { ...common, client_id: 'tv', grant_types: [DEVICE], token_endpoint_auth_method: 'client_secret_post' },
]

async function provider(clients: readonly OpenClient[] | undefined) {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const server = createServer(openProvider(origin, { baseUrl: 'http://127.0.0.1:3000', clients }))
  guard(server, providerGate(new URL('http://127.0.0.1:3000'))).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return { origin, stop: () => server.close() }
}

let closed: Awaited<ReturnType<typeof provider>>
let open: Awaited<ReturnType<typeof provider>>
beforeAll(async () => {
  closed = await provider(CLIENTS)
  open = await provider(undefined)
})
afterAll(() => {
  closed.stop()
  open.stop()
})

const discovered = (id: string, auth?: oauth.ClientAuth, path = '') =>
  oauth.discovery(new URL(`${closed.origin}${path}`), id, undefined, auth, {
    execute: [oauth.allowInsecureRequests, oauth.enableNonRepudiationChecks],
  })

function authorize(origin: string, changes: Readonly<Record<string, string>> = {}): Promise<Response> {
  const query = new URLSearchParams({
    ...{ client_id: 'page', redirect_uri: CALLBACK, response_type: 'code', scope: 'openid', login_hint: 'ada' },
    ...{ code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' },
    ...changes,
  })
  return fetch(`${origin}/auth?${query}`, { redirect: 'manual', headers: { accept: 'text/html' } })
}

/** Fills in every form from an address on. @returns the titles of the pages */
async function letIn(begin: URL, userCode: string): Promise<readonly string[]> {
  const jar = cookieJar()
  async function visit(url: URL, body: URLSearchParams | null): Promise<readonly string[]> {
    const headers = { cookie: jar.headerFor(url), accept: 'text/html' }
    const answer = await fetch(url, { method: body ? 'POST' : 'GET', headers, redirect: 'manual', body })
    jar.keep(url, answer.headers.getSetCookie())
    const location = answer.headers.get('location')
    if (location !== null) return visit(new URL(location, url), null)
    const page = await answer.text()
    const [, title = ''] = /<h1[^>]*>([^<]*)/.exec(page) ?? []
    const form = formIn(page, userCode)
    return form ? [title, ...(await visit(url, form))] : [title]
  }
  return visit(begin, null)
}

function formIn(page: string, userCode: string): URLSearchParams | null {
  const fields = [...page.matchAll(/<input[^>]*name="([^"]*)"(?: value="([^"]*)")?/g)]
  if (fields.length === 0) return null
  return new URLSearchParams(fields.map(([, name = '', value = userCode]): [string, string] => [name, value]))
}

describe('set-38 the open provider', () => {
  it('signs with ES256 for a client that asks for it, at an issuer with a fault, too', async () => {
    for (const path of ['', '/lab/pkce-unasked']) {
      const client = await discovered('page', oauth.None(), path)
      Object.assign(client.clientMetadata(), { id_token_signed_response_alg: 'ES256' })
      const verifier = oauth.randomPKCECodeVerifier()
      const begin = oauth.buildAuthorizationUrl(client, {
        ...{ redirect_uri: CALLBACK, scope: 'openid', login_hint: 'grace@example.com', state: 's' },
        ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      })
      begin.searchParams.set('login_hint', 'grace')
      const back = await followLogin(begin, CALLBACK)
      const tokens = await oauth.authorizationCodeGrant(client, back, {
        pkceCodeVerifier: verifier,
        expectedState: 's',
      })
      expect(tokens.claims()?.sub).toBe('110000000000000000002')
    }
  })

  it.each([
    ['', 'openid-configuration'],
    ['', 'oauth-authorization-server'],
    ['/lab/slow', 'openid-configuration'],
    ['/lab/slow', 'oauth-authorization-server'],
  ])('has metadata of the issuer "%s" before and after its path: %s', async (path, name) => {
    const issuer = `${closed.origin}${path}`
    for (const address of [`${issuer}/.well-known/${name}`, `${closed.origin}/.well-known/${name}${path}`])
      expect(await (await fetch(address)).json()).toMatchObject({ issuer, token_endpoint: `${issuer}/token` })
  })

  it('answers with a form, too, with the fault in it', async () => {
    const asked = { response_mode: 'form_post', state: 'mine' }
    const begin = await authorize(`${closed.origin}/lab/foreign-state`, asked)
    const jar = cookieJar()
    let url = begin
    while (url.headers.get('location') !== null) {
      const next = new URL(String(url.headers.get('location')), closed.origin)
      jar.keep(next, url.headers.getSetCookie())
      url = await fetch(next, { redirect: 'manual', headers: { cookie: jar.headerFor(next) } })
    }
    expect(await url.text()).toMatch(/name="state" value="m[\w-]{43}"/)
  })

  it('gives a token to a client itself, and none for a wrong secret', async () => {
    const job = await discovered('job', oauth.ClientSecretBasic(SECRET))
    expect(await oauth.clientCredentialsGrant(job)).toMatchObject({ token_type: 'bearer' })
    const wrong = await discovered('job', oauth.ClientSecretBasic('wrong'))
    await expect(oauth.clientCredentialsGrant(wrong)).rejects.toMatchObject({ status: 401 })
  })

  it('lets a device in, whose user confirms its code on a page', async () => {
    const tv = await discovered('tv', oauth.ClientSecretPost(SECRET))
    const device = await oauth.initiateDeviceAuthorization(tv, { scope: 'openid', login_hint: 'ada' })
    const titles = await letIn(new URL(device.verification_uri), device.user_code)
    expect(titles).toEqual([
      'Enter the code that your device shows',
      'Does your device show this code?',
      'Your device is connected',
    ])
    const tokens = await oauth.pollDeviceAuthorizationGrant(tv, { ...device, interval: 0.1 })
    expect(tokens.claims()?.sub).toBe('110000000000000000001')
  })

  it.each([
    ['an unknown client', { client_id: 'other' }],
    ['an address that is not registered', { redirect_uri: 'http://127.0.0.1:8765/other' }],
  ])('shows a page in place of a redirect for %s', async (_, changes) => {
    const answer = await authorize(closed.origin, changes)
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(await answer.text()).toContain('This login cannot go on')
  })

  it('wants PKCE of a public client', async () => {
    const location = new URL(String((await authorize(closed.origin, { code_challenge: '' })).headers.get('location')))
    expect(location.searchParams.get('error')).toBe('invalid_request')
  })
})

describe('set-38 without clients.json every name is a public client', () => {
  it.each([
    ['at any port and path of this machine', 'http://localhost:5173/back?a=1', 303],
    ['and not elsewhere', 'https://evil.example/callback', 400],
    ['and at no name that only begins like it', 'http://127.0.0.1.evil.example/callback', 400],
  ])('%s', async (_, address, status) => {
    expect((await authorize(open.origin, { client_id: 'any-name', redirect_uri: address })).status).toBe(status)
  })

  it('a page of this machine can read the token endpoint, no other page reaches it', async () => {
    const ask = (origin: string) =>
      fetch(`${open.origin}/token`, {
        ...{ method: 'POST', headers: { origin }, body: new URLSearchParams({ client_id: 'any-name' }) },
      })
    expect((await ask('http://localhost:5173')).headers.get('access-control-allow-origin')).toBe(
      'http://localhost:5173',
    )
    expect((await ask('https://evil.example')).status).toBe(403)
  })

  it('keeps no cookie by a date, which another clock would take for over', async () => {
    const cookies = (await authorize(open.origin, { client_id: 'any-name' })).headers.getSetCookie()
    expect(cookies.length).toBeGreaterThan(0)
    expect(cookies.join()).not.toMatch(/expires=/i)
  })
})
