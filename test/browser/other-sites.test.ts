import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { atLocalhost } from '../support/localhost.ts'
import { served } from '../support/served.ts'
import { describeInBrowser, logIn, type Visit, visit } from '../support/visit.ts'

/** What other sites load, and what they are refused, is what the tests look at. */
const ANYTHING: Visit = { allow: /./ }

describeInBrowser('a login through other sites, and their pages', () => {
  let base: string
  atLocalhost()
  beforeAll(() => {
    base = served('http')
  })

  const trusted = () => `http://127.0.0.1:${inject('otherSitesPort')}`
  const trustedOfOurSite = () => `http://localhost:${inject('otherSitesPort')}`
  const foreign = () => `http://evil.localhost:${inject('otherSitesPort')}`

  const forcedLogin = () => `${base}/oauth2/authorization/google`

  const inContext = (run: (page: Page, context: BrowserContext) => Promise<void>) => visit(ANYTHING, run)

  /** What the script of a page at an origin finds out. */
  function found(page: Page, origin: string, script: string): Promise<unknown> {
    return page.goto(origin).then(() => page.evaluate(`(async () => { ${script} })()`))
  }

  async function loginAs(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name }).click()
    await page.waitForURL((url) => url.origin === base)
  }

  it('google redirects a user back to a session: the Lax cookies are set, and no script can read them', async () => {
    await inContext(async (page, context) => {
      await page.goto(`${base}/oauth2/authorization/google?returnTo=/api/auth/info`)
      expect(new URL(page.url()).hostname).toBe('127.0.0.1')
      await loginAs(page, 'Ada Admin')
      expect(page.url()).toBe(`${base}/api/auth/info`)
      expect(JSON.parse(await page.innerText('body'))).toMatchObject({
        username: 'google:110000000000000000001',
        authType: 'OAuth2',
        principalType: 'OidcUser',
      })
      const cookies = await context.cookies()
      const ours = cookies.filter(({ domain }) => domain === 'localhost')
      expect(ours.find(({ name }) => name === 'JSESSIONID')).toMatchObject({
        httpOnly: true,
        sameSite: 'Lax',
        path: '/',
      })
      expect(ours.filter(({ name }) => name.startsWith('oauth2_tx_'))).toEqual([])
      expect(await page.evaluate('document.cookie')).not.toMatch(/JSESSIONID|oauth2_/)
    })
  })

  it('the login page leads to each provider, and two tabs log in independently', async () => {
    await inContext(async (first, context) => {
      const second = await context.newPage()
      for (const page of [first, second]) {
        await page.goto(`${base}/login`)
        await page.click('a[href="/oauth2/authorization/github"]')
        await page.getByRole('button', { name: 'Octavia Admin' }).waitFor()
      }
      await loginAs(first, 'Octavia Admin')
      await loginAs(second, 'octo-user')
      for (const page of [first, second]) expect(page.url()).toBe(`${base}/`)
      await second.goto(`${base}/api/auth/info`)
      expect(await second.innerText('body')).toContain('github:5002')
    })
  })

  it('a user who cancels sees this on the login page, and has no session', async () => {
    await inContext(async (page, context) => {
      await page.goto(`${base}/oauth2/authorization/facebook`)
      await loginAs(page, 'Cancel')
      expect(page.url()).toBe(`${base}/login?canceled=facebook`)
      await page.getByText('You canceled the login at Facebook.').waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
      expect((await context.cookies()).filter(({ name }) => name === 'JSESSIONID')).toEqual([])
    })
  })

  it('a login redirects to the requested page, through a provider and after a canceled login as well', async () => {
    await inContext(async (page) => {
      await page.goto(`${base}/console/webhooks?status=FAILED`)
      await page.getByRole('main').getByRole('link', { name: 'Log in' }).click()
      await page.getByRole('link', { name: 'Log in with Google' }).click()
      await loginAs(page, 'Cancel')
      await page.getByText('You will return to Events.').waitFor()
      await page.getByRole('link', { name: 'Log in with GitHub' }).click()
      await loginAs(page, 'Octavia Admin')
      expect(page.url()).toBe(`${base}/console/webhooks?status=FAILED`)
    })
  })

  describe('H28 the page of a trusted origin', () => {
    it('logs in, reads every resource that its token opens, and reads each refusal with its headers', async () => {
      const script = `
        const at = (path) => '${base}' + path
        const logIn = (username, password) =>
          fetch(at('/api/auth/login'), { method: 'POST', body: new URLSearchParams({ username, password }) })
        const headersOf = (answer) => [answer.status, answer.headers.get('www-authenticate'), answer.headers.get('retry-after')]
        const { token } = await (await logIn('admin', 'admin-demo')).json()
        const authorization = 'Bearer ' + token
        const info = await (await fetch(at('/api/auth/info'), { headers: { authorization } })).json()
        const body = JSON.stringify({ username: 'from-a-page', password: 'a password of a page', role: 'ROLE_USER' })
        const json = { 'content-type': 'application/json' }
        const made = await fetch(at('/api/users'), { method: 'POST', headers: { ...json, authorization }, body })
        const gone = await fetch(at(made.headers.get('location')), { method: 'DELETE', headers: { authorization } })
        const refused = await fetch(at('/api/auth/info'), { headers: { authorization: 'Bearer x' } })
        const nowhere = await fetch(at('/api/nothing'), { headers: { authorization } })
        await Promise.all(Array.from({ length: 20 }, () => logIn('somebody', 'wrong')))
        const throttled = await logIn('somebody', 'wrong')
        return {
          username: info.username,
          made: [made.status, gone.status],
          refused: [...headersOf(refused), (await refused.json()).message],
          nowhere: [nowhere.status, (await nowhere.json()).message],
          throttled: [...headersOf(throttled), (await throttled.json()).message],
        }`
      await inContext(async (page) =>
        expect(await found(page, trusted(), script)).toEqual({
          username: 'admin',
          made: [201, 204],
          refused: [401, 'Bearer realm="API", error="invalid_token"', null, 'Invalid or expired JWT token'],
          nowhere: [404, 'No endpoint found for the method and path'],
          throttled: [429, null, expect.stringMatching(/^\d+$/), 'Too many requests'],
        }),
      )
    })

    it('of another site is sent without the session; one of our site is sent with it, and needs its token', async () => {
      const info = `(await fetch('${base}/api/auth/info', { credentials: 'include' })).json()`
      await inContext(async (page) => {
        const ofOurSite = `
          const read = async (path, init) => (await fetch('${base}' + path, { credentials: 'include', ...init })).text()
          const tokenIn = (text) => /name="_csrf" value="([^"]+)"/.exec(text)[1]
          const fields = { username: 'user', password: 'user-demo', _csrf: tokenIn(await read('/login')) }
          const home = await read('/login', { method: 'POST', body: new URLSearchParams(fields) })
          const { username } = await ${info}
          const logOut = (headers) => fetch('${base}/logout', { method: 'POST', credentials: 'include', headers })
          const without = await logOut({})
          return { username, without: without.status, token: tokenIn(home) }`
        const { token, ...first } = (await found(page, trustedOfOurSite(), ofOurSite)) as { readonly token: string }
        expect(first).toEqual({ username: 'user', without: 403 })
        expect(await found(page, trusted(), `return (await ${info}).message`)).toBe('Authentication required')
        const leave = `
          const headers = { 'x-xsrf-token': '${token}' }
          const left = await fetch('${base}/logout', { method: 'POST', credentials: 'include', headers })
          return [left.url, (await ${info}).message]`
        expect(await found(page, trustedOfOurSite(), leave)).toEqual([
          `${base}/login?logout`,
          'Authentication required',
        ])
      })
    })
  })

  it('H28 a page of any other origin reads nothing, with or without a login', async () => {
    await inContext(async (page, context) => {
      const own = await context.newPage()
      await logIn(own, 'admin', 'admin-demo')
      const script = `
        const tries = [
          ['/api/public/hello', {}],
          ['/api/auth/info', { credentials: 'include' }],
          ['/api/auth/info', { headers: { authorization: 'Bearer x' } }],
          ['/api/auth/login', { method: 'POST', body: new URLSearchParams({ username: 'admin', password: 'admin-demo' }) }],
          ['/login', {}],
          ['/nowhere', {}],
          ['/webhooks/payment', { method: 'POST', body: '{}' }],
        ]
        const learned = ([path, init]) => fetch('${base}' + path, init).then((answer) => answer.status, () => 'nothing')
        return Promise.all(tries.map(learned))`
      expect(await found(page, foreign(), script)).toEqual(Array(7).fill('nothing'))
    })
  })

  describe('O20 a page of another site', () => {
    it.each(['/frame', '/script', '/refresh'])('starts no login by its %s', async (bait) => {
      await inContext(async (page, context) => {
        const answered = page.waitForResponse(forcedLogin())
        await page.goto(`${foreign()}${bait}`)
        expect((await answered).status()).toBe(403)
        expect((await context.cookies()).filter(({ name }) => name.startsWith('oauth2'))).toEqual([])
      })
    })

    it('may contain a link that a user follows', async () => {
      await inContext(async (page, context) => {
        await page.goto(`${foreign()}/link`)
        await page.getByRole('link', { name: 'Kittens' }).click()
        await page.getByRole('button', { name: 'Ada Admin' }).waitFor()
        expect((await context.cookies()).some(({ name }) => name.startsWith('oauth2_tx_'))).toBe(true)
      })
    })
  })
})
