import { beforeAll, describe, expect, inject, it } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { openBrowser, providerUser } from '../support/browserless-login.ts'
import { bearer, call } from '../support/client.ts'
import { meanwhile } from '../support/meanwhile.ts'

interface Field {
  readonly name: string
  readonly value: string
}

interface Step {
  readonly name: string
  readonly url: string
  readonly sent: readonly Field[]
  readonly answer?: { readonly status: number; readonly fields: readonly Field[] }
  readonly checks: readonly { readonly name: string; readonly result: string; readonly value?: string }[]
}

/** A login, its answer at each end, and what is told of it. */
async function recordedLogin(provider: string) {
  const browser = openBrowser()
  const { headers } = await browser.start(provider)
  const location = new URL(String(headers['location']))
  const callback = await browser.chooseAt(location.href, providerUser(provider, 'ROLE_USER'))
  await browser.get(`${callback.pathname}${callback.search}`)
  const { status, json, text } = await browser.get('/api/oauth2/steps')
  const steps: readonly Step[] = json.steps
  const step = (name: string) => steps.find((candidate) => candidate.name === name)
  const results = Object.fromEntries(steps.flatMap(({ checks }) => checks.map(({ name, result }) => [name, result])))
  return { location, callback, status, json, text, steps, step, results }
}

/** Each by its name. */
const valuesOf = (fields: readonly Field[] = []) => Object.fromEntries(fields.map(({ name, value }) => [name, value]))

const cutOf = (parameter: string | null) => `${parameter?.slice(0, 4)}…`

const COMMON = { transaction: 'PASSED', registration: 'PASSED', state: 'PASSED', answer: 'PASSED' }
const AT_PROVIDER = { code: 'BY_PROVIDER', pkce: 'BY_PROVIDER' }
const OF_TOKEN = ['algorithm', 'signature', 'issuer', 'audience', 'expiry', 'nonce', 'subject']
const allOfToken = (result: string) => Object.fromEntries(OF_TOKEN.map((name) => [name, result]))

describe.each([
  ['google', { ...COMMON, ...AT_PROVIDER, iss: 'PASSED', ...allOfToken('PASSED') }],
  ['github', { ...COMMON, ...AT_PROVIDER, iss: 'NOT_SENT', ...allOfToken('REPLACED') }],
  ['facebook', { ...COMMON, ...AT_PROVIDER, iss: 'NOT_SENT', ...allOfToken('REPLACED') }],
])('GET /api/oauth2/steps after a login with %s', (provider, checks) => {
  const isMeanwhile = meanwhile()
  let login: Awaited<ReturnType<typeof recordedLogin>>
  beforeAll(async () => {
    login = await recordedLogin(provider)
  })

  it('shows the redirect, the callback, the exchange of the code, and the request for the user', () => {
    const { location, callback, status, json, step } = login
    expect([status, json.provider]).toEqual([200, provider])
    expect(Date.parse(json.at)).toSatisfy(isMeanwhile)
    const [authorization, back, token] = [step('authorization'), step('callback'), step('token')]
    expect(authorization?.url).toBe(`${location.origin}${location.pathname}`)
    expect(authorization?.sent.map(({ name }) => name)).toEqual([...location.searchParams.keys()])
    expect(valuesOf(authorization?.sent)).toMatchObject({
      client_id: location.searchParams.get('client_id'),
      redirect_uri: `${inject('http')}/login/oauth2/code/${provider}`,
      state: cutOf(location.searchParams.get('state')),
      code_challenge: cutOf(location.searchParams.get('code_challenge')),
      code_challenge_method: 'S256',
    })
    expect(back?.url).toBe(`${callback.origin}${callback.pathname}`)
    expect(valuesOf(back?.sent)).toMatchObject({
      code: cutOf(callback.searchParams.get('code')),
      state: cutOf(location.searchParams.get('state')),
    })
    const start = expect.stringMatching(/^.{4}…$/)
    // Google's metadata name HTTP Basic, which is a header.
    const secret = provider === 'google' ? undefined : '…'
    expect(valuesOf(token?.sent)).toMatchObject({ grant_type: 'authorization_code', code_verifier: start })
    expect(valuesOf(token?.sent)['client_secret']).toBe(secret)
    expect(valuesOf(token?.answer?.fields)).toMatchObject({ access_token: start })
    expect([token?.answer?.status, step('user')?.answer?.status]).toEqual([200, 200])
  })

  it('shows each check with its result', () => {
    expect(login.results).toEqual(checks)
  })

  it('O15 contains no secret, and is small enough for a session', () => {
    const { location, callback, text, steps } = login
    const secrets = ['state', 'nonce', 'code_challenge', 'code'].flatMap((name) => [
      ...location.searchParams.getAll(name),
      ...callback.searchParams.getAll(name),
    ])
    expect(secrets.length).toBeGreaterThan(2)
    for (const secret of secrets) expect(text).not.toContain(secret.slice(0, 12))
    expect(text).not.toMatch(/eyJ[\w-]{2}|[\w-]{40}/)
    expect(JSON.stringify(steps).length).toBeLessThan(3072)
  })
})

describe('O19 without a login at a provider there are no steps', () => {
  it('404 for a session of the form login', async () => {
    const client = new CookieClient()
    await client.login('user', demoUser('user').password)
    const { status, json } = await client.call('/api/oauth2/steps')
    expect([status, json.error, json.path]).toEqual([404, 'Not Found', '/api/oauth2/steps'])
    expect(json.message).toBe('The session did not begin with an identity provider')
  })

  it('401 without a session, even with a token', async () => {
    expect((await call('/api/oauth2/steps')).status).toBe(401)
    expect((await call('/api/oauth2/steps', bearer(await tokenOf('admin')))).status).toBe(401)
  })
})
