import { describe, expect, it } from 'vitest'
import { type Browser, openBrowser, providerUser, setCookiesOf } from '../support/browserless-login.ts'
import type { Answer } from '../support/client.ts'
import { partOf } from '../support/full-runs.ts'
import { logLines } from '../support/service-log.ts'

const PROVIDERS = ['google', 'github', 'facebook'] as const

interface Refusal {
  readonly headers?: Readonly<Record<string, string>>
  /** The query of the login page to which the answer leads. */
  readonly notice?: string
}

/** Calls a callback for which the log has to give the reason. @returns the answer */
async function expectRefused(
  browser: Browser,
  path: string,
  reason: string,
  { headers = {}, notice = 'error' }: Refusal = {},
): Promise<Answer> {
  const answer = await browser.get(path, headers)
  expect(answer.status).toBe(302)
  expect(answer.headers['location']).toBe(`/login?${notice}`)
  expect(answer.text).toBe('')
  expect(setCookiesOf(answer).join()).not.toMatch(/JSESSIONID|XSRF/)
  expect(await browser.nextRefusal()).toMatchObject({ reason })
  return answer
}

const clearsTransaction = (answer: Answer) => /oauth2_tx_\d=; Max-Age=0/.test(setCookiesOf(answer).join())

interface Attempt {
  readonly browser: Browser
  readonly callback: URL
}

async function attempt(provider: string): Promise<Attempt> {
  const browser = openBrowser()
  return { browser, callback: await browser.callbackOf(provider, providerUser(provider, 'ROLE_ADMIN')) }
}

/** The callback's path with some of its parameters changed; undefined takes one away. */
function pathOf({ pathname, search }: URL, changes: Readonly<Record<string, string | undefined>> = {}): string {
  const query = new URLSearchParams(search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) query.delete(name)
    else query.set(name, value)
  }
  return `${pathname}?${query}`
}

describe.each(PROVIDERS)('the callback of %s creates no session', (provider) => {
  it('O01 for a browser that began no login', async () => {
    const { callback } = await attempt(provider)
    await expectRefused(openBrowser(), pathOf(callback), 'transaction-missing')
  })

  it('O01 for another browser with its own pending login', async () => {
    const { callback } = await attempt(provider)
    const victim = openBrowser()
    for (let tab = 0; tab < 8; tab++) await victim.start(provider)
    await expectRefused(victim, pathOf(callback), 'state-mismatch')
    expect(victim.jar.all().filter(({ name }) => name.startsWith('oauth2_tx_'))).toHaveLength(8)
  })

  it('O10 for a changed transaction', async () => {
    const { browser, callback } = await attempt(provider)
    const { name, value } = browser.jar.all().find((cookie) => cookie.name.startsWith('oauth2_tx_')) ?? {}
    const changed = `${value?.slice(0, 90)}${value?.[90] === 'A' ? 'B' : 'A'}${value?.slice(91)}`
    browser.jar.set(callback, name ?? '', changed, '/')
    const answer = await expectRefused(browser, pathOf(callback), 'transaction-invalid')
    expect(clearsTransaction(answer)).toBe(true)
  })

  it('O03 for a used code', async () => {
    const { browser, callback } = await attempt(provider)
    const cookie = browser.jar.headerFor(callback)
    expect((await browser.get(pathOf(callback))).headers['location']).toBe('/')
    await expectRefused(openBrowser(), pathOf(callback), 'answer-rejected', { headers: { cookie } })
  })

  it('O03, O04 for the code of another user', async () => {
    const [victim, attacker] = await Promise.all([attempt(provider), attempt(provider)])
    const code = attacker.callback.searchParams.get('code') ?? ''
    await expectRefused(victim.browser, pathOf(victim.callback, { code }), 'answer-rejected')
  })

  it('O01 for a wrong state, no state or two states', async () => {
    const { browser, callback } = await attempt(provider)
    const state = callback.searchParams.get('state') ?? ''
    await expectRefused(browser, pathOf(callback, { state: `${state.slice(0, -1)}_` }), 'state-mismatch')
    await expectRefused(browser, pathOf(callback, { state: undefined }), 'transaction-missing')
    await expectRefused(browser, `${pathOf(callback)}&state=${state}`, 'transaction-missing')
    expect((await browser.get(pathOf(callback))).headers['location'], 'the login itself goes on').toBe('/')
  })

  it('O03 for a login that began at another provider', async () => {
    const { browser, callback } = await attempt(provider)
    const other = new URL(callback)
    other.pathname = `/login/oauth2/code/${provider === 'google' ? 'github' : 'google'}`
    const answer = await expectRefused(browser, pathOf(other), 'registration-mismatch')
    expect(clearsTransaction(answer)).toBe(true)
  })

  it('O03 for an answer in the name of another issuer, or with a repeated parameter', async () => {
    const first = await attempt(provider)
    const iss = 'https://evil.example'
    await expectRefused(first.browser, pathOf(first.callback, { iss }), 'answer-rejected')
    const second = await attempt(provider)
    await expectRefused(second.browser, `${pathOf(second.callback)}&code=x`, 'answer-rejected')
  })

  it('O06 for a user who refused, whatever the description of the provider', async () => {
    const browser = openBrowser()
    const callback = await browser.callbackOf(provider, 'cancel')
    expect(callback.searchParams.get('error')).toBe('access_denied')
    const answer = await expectRefused(
      browser,
      pathOf(callback, { error_description: '<script>alert(1)</script>' }),
      'refused-by-provider',
      { notice: `canceled=${provider}` },
    )
    expect(clearsTransaction(answer)).toBe(true)
  })
})

describe('the callback', () => {
  it('of google requires the issuer that google announced (RFC 9207)', async () => {
    const { browser, callback } = await attempt('google')
    await expectRefused(browser, pathOf(callback, { iss: undefined }), 'answer-rejected')
  })

  it('of an unreachable provider leads to the login page', async () => {
    await expectRefused(openBrowser(), '/login/oauth2/code/nobody?code=x&state=y', 'transaction-missing')
    await expectRefused(openBrowser(), '/login/oauth2/code/google', 'transaction-missing')
  })

  it('O17 leaves no code, state or cookie in the log', async () => {
    const { browser, callback } = await attempt('google')
    const cookie = browser.jar.headerFor(callback)
    const transaction = browser.jar.all().find(({ name }) => name.startsWith('oauth2_tx_'))?.value ?? 'none'
    await browser.get(pathOf(callback))
    await openBrowser().get(pathOf(callback), { cookie })
    const log = logLines().join()
    for (const name of ['code', 'state']) expect(log).not.toContain(callback.searchParams.get(name))
    expect(log).not.toContain(transaction)
  })
})

describe('GET /oauth2/authorization/{registrationId}', () => {
  it.each(['twitter', 'Google', '__proto__', 'constructor', '..%2Fgoogle'])('O18 answers 404 to %s', async (id) => {
    expect((await openBrowser().start(id)).status).toBe(404)
  })

  const ELSEWHERE = [
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/ok\r\nSet-Cookie: a=b',
    'api/auth/info',
    '/ü',
    `/${'x'.repeat(300)}`,
    '',
  ]

  it.each(partOf(ELSEWHERE))('S05 leads to the start page instead of %j', async (returnTo) => {
    const answer = await openBrowser().login(
      'github',
      providerUser('github', 'ROLE_USER'),
      `?returnTo=${encodeURIComponent(returnTo)}`,
    )
    expect(answer.headers['location']).toBe('/')
  })
})
