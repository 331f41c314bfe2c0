import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveOpenIdProvider } from '../support/fakes/openid-provider.ts'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'
import { describeInBrowser, newContext } from '../support/visit.ts'

const LONG = 'x'.repeat(255)
const groups = Array.from({ length: 800 }, (_, at) => `a group with the number ${at}`)

describeInBrowser('providers by name, beside google', () => {
  let stack: Stack
  let close = () => {}

  beforeAll(async () => {
    const [corp, open, liar, silent, gone] = await Promise.all([
      serveOpenIdProvider({ alg: 'ES256', claims: { sub: LONG, name: 'Ada', groups: [...groups, 'admins'] } }),
      serveOpenIdProvider({ alg: 'EdDSA', metadata: { userinfo_endpoint: undefined }, claims: { groups: ['admins'] } }),
      serveOpenIdProvider({ claims: { aud: 'another-client' } }),
      serveOpenIdProvider({ answers: { corp: () => Promise.withResolvers<Response>().promise } }),
      serveOpenIdProvider({}),
    ])
    gone.close()
    const roles = { claim: 'groups', map: { admins: 'ROLE_ADMIN' } }
    const providers = {
      corp: { issuer: corp.issuer, clientId: 'gatehouse', label: 'Corp', scopes: 'profile groups', roles },
      open: { issuer: open.issuer, clientId: 'gatehouse', label: 'Open & free' },
      liar: { issuer: liar.issuer, clientId: 'gatehouse', label: 'Liar' },
      silent: { issuer: silent.issuer, clientId: 'gatehouse', label: 'Silent' },
      gone: { issuer: gone.issuer, clientId: 'gatehouse', label: 'Gone' },
    }
    stack = await startStack({
      PORT_OFFSET: String(await freeOffset()),
      DATA_DIR: 'memory',
      OIDC_PROVIDERS: JSON.stringify(providers),
      OIDC_CLIENT_SECRETS: JSON.stringify({ corp: 'the-secret-of-corp', liar: 'the-secret-of-the-liar' }),
    })
    close = () => [corp, open, liar, silent].forEach((server) => void server.close())
  }, 120_000)
  afterAll(async () => {
    await stack?.stop()
    close()
  })

  async function visiting(run: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
    const context = await newContext({ baseURL: stack.ready.http })
    context.setDefaultTimeout(20_000)
    await run(await context.newPage(), context)
    await context.close()
  }

  const logIn = async (page: Page, label: string) => {
    await page.goto('/login')
    expect(await page.locator('[aria-labelledby=provider-login] a').allTextContents()).toEqual(
      ['Google', 'GitHub', 'Facebook', 'Corp', 'Open & free', 'Liar', 'Silent', 'Gone'].map(
        (name) => `Log in with ${name}`,
      ),
    )
    await page.getByRole('link', { name: `Log in with ${label}` }).click()
  }

  it.each([
    ['Corp', `corp:${LONG}`, 'ROLE_ADMIN', 200, 403],
    ['Open & free', 'open:u-42', 'ROLE_USER', 403, 403],
  ])('%s logs in as %s with %s, which lasts as long as the session', async (label, username, role, secure, key) => {
    await visiting(async (page, context) => {
      await logIn(page, label)
      await page.getByRole('heading', { name: /^You are logged in as / }).waitFor()
      const info = await (await context.request.get('/api/auth/info')).json()
      expect(info).toMatchObject({ username, authorities: [{ authority: role }], principalType: 'OidcUser' })
      expect((await context.request.get('/api/admin/secure')).status()).toBe(secure)
      const csrf = (await context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
      const made = await context.request.post('/api/keys', { data: { name: 'a' }, headers: { 'x-xsrf-token': csrf } })
      expect(made.status()).toBe(key)
      await page.goto('/console/oauth')
      await page.getByText(`You logged in with ${username.split(':')[0]}`).waitFor()
      const { steps } = await (await context.request.get('/api/oauth2/steps')).json()
      const checks = steps.flatMap((step: { checks: readonly object[] }) => step.checks)
      expect(checks.filter(({ name }: { name: string }) => name === 'role').length).toBe(label === 'Corp' ? 1 : 0)
    })
  })

  it('a failed login says whose fault it is, and the console what to change', async () => {
    await visiting(async (page) => {
      await logIn(page, 'Liar')
      const alert = page.getByRole('alert')
      expect(await alert.innerText()).toContain('The login with Liar did not succeed. The settings of this service')
      await page.goto('/console/oauth')
      await page.getByText('The login with liar failed').waitFor()
      await page.getByText('OIDC_PROVIDERS (liar: clientId)').waitFor()
      await page.getByText('Login refused').waitFor()
    })
  })

  it('each is a part of the stage, and is Down only if it refuses a call', async () => {
    await visiting(async (page) => {
      await page.goto('/')
      const stateOf = async (name: string) => {
        const text = await page
          .getByRole('listitem')
          .filter({ hasText: `${name} login` })
          .innerText()
        return text.split('\n').at(-1)
      }
      await page.getByRole('listitem').filter({ hasText: 'gone login' }).waitFor()
      expect([await stateOf('liar'), await stateOf('silent'), await stateOf('gone')]).toEqual([
        expect.stringMatching(/^(?:Answers|Slow)$/),
        'No answer in 3 s',
        'Down',
      ])
    })
  })
})
