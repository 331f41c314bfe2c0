import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOf } from '../support/axe.ts'
import { openBrowser, providerUser } from '../support/browserless-login.ts'
import { chromiumPath, launch } from '../support/chromium.ts'
import { serve } from '../support/served.ts'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'
import { butRefusals, logIn, open, visit } from '../support/visit.ts'

const path = chromiumPath()
const ADDRESS = '/console/oauth'
const STEPS = '**/api/oauth2/steps'

const SCHEMES = ['light', 'dark'] as const

describe.skipIf(path === undefined)('the page of the steps of a login', () => {
  let stack: Stack
  let browser: Browser
  let base: string

  beforeAll(async () => {
    stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory' })
    base = stack.ready.http
    serve({ http: base, ready: stack.ready, jwtSecret: '' })
    browser = await launch(path ?? '')
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })

  const visiting = (run: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) =>
    visit(browser, { baseURL: base, ...options }, run)

  /** Visits as somebody who logged in with a provider; what the browser complained of on our pages. */
  const visitingFrom = (provider: string, run: (page: Page) => Promise<void>, options?: BrowserContextOptions) =>
    visiting(async (page) => {
      const client = openBrowser()
      await client.login(provider, providerUser(provider, 'ROLE_USER'))
      const cookies = client.jar.all().filter(({ path }) => path === '/')
      await page.context().addCookies(cookies.map(({ name, value }) => ({ name, value, url: base })))
      await run(page)
    }, options)

  const headings = (page: Page) => page.locator('.login-steps h2').allInnerTexts()

  it('shows the steps of OpenID Connect, with every check passed', async () => {
    const complaints = await visitingFrom('google', async (page) => {
      await open(page, ADDRESS)
      await page.getByText('You logged in with google').waitFor()
      const shown = await headings(page)
      expect(shown.slice(0, 3)).toEqual([
        '1. To the provider',
        '2. Back from the provider',
        '3. The code becomes a token',
      ])
      for (const name of ['State', 'Signature', 'Issuer', 'Audience', 'Expiry', 'Nonce', 'Subject']) {
        await page.getByRole('row', { name: new RegExp(`^${name} passed`) }).waitFor()
      }
      await page.getByRole('row', { name: /^Signature .* RS256, key / }).waitFor()
      await page.getByRole('row', { name: /^PKCE by the provider/ }).waitFor()
      expect(await page.locator('#island').innerText()).toContain('Not shown: client_secret.')
    })
    expect(complaints).toEqual([])
  })

  it.each(['github', 'facebook'])('says what stands in for an ID token with %s', async (provider) => {
    const complaints = await visitingFrom(provider, async (page) => {
      await open(page, ADDRESS)
      await page.getByText(`You logged in with ${provider}`).waitFor()
      for (const name of ['Signature', 'Issuer', 'Audience', 'Expiry', 'Nonce', 'Subject']) {
        await page.getByRole('row', { name: new RegExp(`^${name} replaced \\S+ `) }).waitFor()
      }
    })
    expect(complaints).toEqual([])
  })

  it.each<[string, string, (page: Page) => Promise<void>]>([
    ['somebody who is not logged in', 'You are not logged in', async () => {}],
    ['a user of the form', 'You logged in with the form', (page) => logIn(page)],
  ])('tells %s what there will be to see, and asks the service for nothing', async (_, heading, come) => {
    const complaints = await visiting(async (page) => {
      await come(page)
      await open(page, ADDRESS)
      await page.getByRole('heading', { name: heading }).waitFor()
      expect(await page.locator('.ahead li').count()).toBe(6)
    })
    expect(complaints).toEqual([])
  })

  it('leads by the keyboard to a provider, and is there again afterwards', async () => {
    await visiting(async (page) => {
      await open(page, ADDRESS)
      await page.getByRole('link', { name: 'Log in with GitHub' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'octo-user' }).click()
      await page.getByText('You logged in with github').waitFor()
      expect(new URL(page.url()).pathname).toBe(ADDRESS)
      expect((await headings(page)).at(-2)).toBe('5. Which address is verified')
    })
  })

  it('says that it loads', async () => {
    await visitingFrom('github', async (page) => {
      await page.route(STEPS, () => {})
      await page.goto(ADDRESS)
      await page.getByRole('status').getByText('Loading').waitFor()
    })
  })

  it('says what went wrong, and tries again', async () => {
    await visitingFrom('github', async (page) => {
      await page.route(STEPS, (route) => route.abort())
      await open(page, ADDRESS)
      await page.getByRole('alert').getByText('The service does not answer.').waitFor()
      await page.unroute(STEPS)
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByText('You logged in with github').waitFor()
    })
  })

  it('says that the session is over', async () => {
    const complaints = await visitingFrom('facebook', async (page) => {
      await page.route(STEPS, async (route) => {
        await page.context().clearCookies()
        await route.continue({ headers: {} })
      })
      await open(page, ADDRESS)
      await page.getByText('Your session has ended.').waitFor()
    })
    expect(butRefusals(complaints)).toEqual([])
  })

  it.each(SCHEMES)('axe finds nothing wrong in %s colours', async (colorScheme) => {
    for (const provider of ['google', 'github']) {
      await visitingFrom(
        provider,
        async (page) => {
          await open(page, ADDRESS)
          await page.locator('.login-steps').waitFor()
          expect(await violationsOf(page), provider).toEqual([])
        },
        { colorScheme },
      )
    }
    await visiting(
      async (page) => {
        await open(page, ADDRESS)
        expect(await violationsOf(page), 'nobody').toEqual([])
      },
      { colorScheme },
    )
  })

  it.each([320, 400])('is not wider than a screen of %d pixels', async (width) => {
    await visitingFrom(
      'google',
      async (page) => {
        await open(page, ADDRESS)
        await page.locator('.login-steps').waitFor()
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      },
      { viewport: { width, height: 640 } },
    )
  })
})
