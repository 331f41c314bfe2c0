import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { chromiumPath, launch } from '../support/chromium.ts'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'

const path = chromiumPath()

describe.skipIf(path === undefined)('in a real browser', () => {
  let stack: Stack
  let browser: Browser
  let base: string

  beforeAll(async () => {
    const offset = await freeOffset()
    // Another site than the providers' 127.0.0.1, so that coming back from there is cross-site, as it is in real life.
    base = `http://localhost:${3000 + offset}`
    stack = await startStack({ PORT_OFFSET: String(offset), DATA_DIR: 'memory', BASE_URL: base })
    browser = await launch(path ?? '')
    // A provider that has just started, on a busy machine, may describe itself too late for the first login.
    const start = () => fetch(`${base}/oauth2/authorization/google`, { redirect: 'manual' })
    await vi.waitUntil(async () => (await start()).headers.get('location')?.startsWith('http://127.0.0.1:'), 20_000)
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })

  async function loginAs(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name }).click()
    await page.waitForURL((url) => url.origin === base)
  }

  it('google sends a user back to a session: the Lax cookies are there, and no script reads them', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
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
    expect(ours.find(({ name }) => name === 'JSESSIONID')).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    expect(ours.filter(({ name }) => name.startsWith('oauth2_tx_'))).toEqual([])
    expect(await page.evaluate('document.cookie')).not.toMatch(/JSESSIONID|oauth2_/)
    await context.close()
  })

  it('the login page leads to each provider, and two tabs log in without getting in the way of each other', async () => {
    const context = await browser.newContext()
    const [first, second] = [await context.newPage(), await context.newPage()]
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
    await context.close()
  })

  it('a user who cancels is at the login page again, without a session', async () => {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`${base}/oauth2/authorization/facebook`)
    await loginAs(page, 'Cancel')
    expect(page.url()).toBe(`${base}/login?error`)
    expect((await context.cookies()).filter(({ name }) => name === 'JSESSIONID')).toEqual([])
    await context.close()
  })
})
