import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOf } from '../support/axe.ts'
import { chromiumPath, launch } from '../support/chromium.ts'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'
import { logIn, visit } from '../support/visit.ts'

const path = chromiumPath()

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1440, 390].map((width) => ({ colorScheme, width })),
)

/** Also the widths of a screen of 1280 and of 640 pixels at a zoom of 200 %. */
const WIDTHS = [320, 390, 640]

const LONG = `/${'a-long-address/'.repeat(9)}${'x'.repeat(99)}`

describe.skipIf(path === undefined)('the pages without a menu', () => {
  let stack: Stack
  let browser: Browser
  let base: string

  beforeAll(async () => {
    stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory' })
    base = stack.ready.http
    browser = await launch(path ?? '')
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })

  /** What the browser complained of, but that it left our site. */
  const visiting = async (run: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) => {
    const complaints = await visit(browser, { baseURL: base, ...options }, run)
    return complaints.filter(
      (complaint) => !/^(?:elsewhere: |[34]\d\d: |console: Failed to load resource)/.test(complaint),
    )
  }

  async function expectSound(page: Page, address: string): Promise<void> {
    await page.goto(address, { waitUntil: 'networkidle' })
    for (const details of await page.locator('summary').all()) await details.click()
    expect(await violationsOf(page), address).toEqual([])
  }

  async function expectNarrow(page: Page, address: string): Promise<void> {
    await page.goto(address, { waitUntil: 'networkidle' })
    for (const details of await page.locator('summary').all()) await details.click()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 640 })
      const shown = await page.evaluate('document.documentElement.scrollWidth')
      expect(shown, `${address} at ${width}`).toBeLessThanOrEqual(width)
    }
  }

  const PAGES = ['/', '/login?error&returnTo=/console/webhooks', '/login?canceled=google', LONG, '/api/auth/login']
  const PROVIDERS = ['google', 'github', 'facebook'].map((id) => `/oauth2/authorization/${id}`)

  it.each(LOOKS)('axe finds no violation in $colorScheme colors at $width pixels', async ({ colorScheme, width }) => {
    const complaints = await visiting(
      async (page) => {
        for (const address of [...PAGES, ...PROVIDERS, refusedAt('/nope')]) await expectSound(page, address)
        await page.setViewportSize({ width: 1440, height: 900 })
        await logIn(page)
        await page.setViewportSize({ width, height: 844 })
        for (const address of ['/', '/?endpoint=usersDelete', '/login']) await expectSound(page, address)
      },
      { colorScheme, viewport: { width, height: 844 }, reducedMotion: 'reduce' },
    )
    expect(complaints).toEqual([])
  })

  it('no page is wider than a small screen, or a larger one at 200 %', async () => {
    await visiting(async (page) => {
      for (const address of [...PAGES, ...PROVIDERS, refusedAt('/nope')]) await expectNarrow(page, address)
      await logIn(page)
      await expectNarrow(page, '/')
    })
  })

  it('a demo provider works by keyboard alone', async () => {
    const complaints = await visiting(async (page) => {
      await page.goto('/oauth2/authorization/google')
      // Past the choice of an attack, to the first account.
      for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
      await page.getByRole('heading', { name: 'You are logged in as Ada Admin.' }).waitFor()
      expect(await page.getByRole('banner').innerText()).toContain('Ada Admin')
    })
    expect(complaints).toEqual([])
  })

  it('a demo provider refuses with a page that links back', async () => {
    await visiting(async (page) => {
      for (const address of [refusedAt('/nope'), refusedAt('/login/oauth/authorize?client_id=evil')]) {
        await page.goto(address)
        await page.getByRole('link', { name: 'Back to Gatehouse' }).click()
        await page.waitForURL(`${base}/login`)
      }
    })
  })

  const refusedAt = (address: string) => new URL(address, stack.ready.idp?.github ?? '').href
})
