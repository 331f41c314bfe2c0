import { describe, expect, it } from 'vitest'
import { type Browser, openBrowser, providerUser, setCookiesOf } from '../support/browserless-login.ts'
import type { Answer } from '../support/client.ts'
import { logLines } from '../support/service-log.ts'

interface Refusal {
  readonly headers?: Readonly<Record<string, string>>
  /** Who is said to be at fault. */
  readonly fault?: string
  /** The query of the login page to which the answer leads. */
  readonly notice?: string
}

/** Calls a callback for which the log has to give the reason. @returns the answer */
async function expectRefused(
  browser: Browser,
  path: string,
  reason: string,
  {
    headers = {},
    fault = 'provider',
    notice = `error=provider&id=${path.split(/[/?]/)[4]}&fault=${fault}`,
  }: Refusal = {},
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

describe('the callback', () => {
  it('O01 creates no session for a browser that began no login, or has another pending one', async () => {
    const { callback } = await attempt('facebook')
    await expectRefused(openBrowser(), pathOf(callback), 'transaction-missing', { fault: 'person' })
    const victim = openBrowser()
    for (let tab = 0; tab < 8; tab++) await victim.start('facebook')
    await expectRefused(victim, pathOf(callback), 'state-mismatch', { fault: 'person' })
    expect(victim.jar.all().filter(({ name }) => name.startsWith('oauth2_tx_'))).toHaveLength(8)
  })

  it('of google requires the issuer that google announced (RFC 9207)', async () => {
    const { browser, callback } = await attempt('google')
    await expectRefused(browser, pathOf(callback, { iss: undefined }), 'answer-rejected')
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

describe.each(['google', 'github'])('the callback of %s creates no session', (provider) => {
  it('O03, O04 for a used code, and for the code of another user', async () => {
    const { browser, callback } = await attempt(provider)
    const cookie = browser.jar.headerFor(callback)
    expect((await browser.get(pathOf(callback))).headers['location']).toBe('/')
    await expectRefused(openBrowser(), pathOf(callback), 'answer-rejected', { headers: { cookie }, fault: 'person' })
    const [victim, attacker] = await Promise.all([attempt(provider), attempt(provider)])
    const code = attacker.callback.searchParams.get('code') ?? ''
    await expectRefused(victim.browser, pathOf(victim.callback, { code }), 'answer-rejected', { fault: 'person' })
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
    const path = pathOf(callback, { error_description: '<script>alert(1)</script>' })
    const answer = await expectRefused(browser, path, 'refused-by-provider', { notice: `canceled=${provider}` })
    expect(clearsTransaction(answer)).toBe(true)
  })
})

describe('GET /oauth2/authorization/{registrationId}', () => {
  it('O18 answers 404 to an unknown provider', async () => {
    for (const id of ['Google', '__proto__', '..%2Fgoogle']) {
      expect((await openBrowser().start(id)).status, id).toBe(404)
    }
  })

  it('S05 leads to the start page instead of another site', async () => {
    const query = `?returnTo=${encodeURIComponent('//evil.example')}`
    const answer = await openBrowser().login('github', providerUser('github', 'ROLE_USER'), query)
    expect(answer.headers['location']).toBe('/')
  })
})
