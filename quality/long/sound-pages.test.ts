import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { SCRIPT_PAGES } from '../../lib/contract/console.ts'
import { violationsInTheDark, violationsOf } from '../../test/support/axe.ts'
import { chromiumPath } from '../../test/support/chromium.ts'
import { serviceOfTests } from '../../test/support/console-service.ts'
import { logIn, open, visit as visitWith } from '../../test/support/visit.ts'

const path = chromiumPath()

const ISLANDS = SCRIPT_PAGES.map((name) => `/console/${name}`)

describe.skipIf(path === undefined)('on any page', () => {
  const service = serviceOfTests(path)

  const visit = (options: BrowserContextOptions, run: (page: Page) => Promise<void>) =>
    visitWith(service().browser, { baseURL: service().base, ...options }, run)

  it('C01 every script works, no other host is called, axe finds no violation, and 320 pixels are wide enough', async () => {
    const complaints = await visit({ colorScheme: 'light', reducedMotion: 'reduce' }, async (page) => {
      await expectSound(page, ['/', '/login?error'])
      await expectFilled(page, ISLANDS)
      await logIn(page)
      await expectSound(page, ['/?endpoint=adminSecure', '/login', ...ISLANDS])
    })
    expect(complaints).toEqual([])
  })

  it('axe finds no violation on the page of a failure, and 320 pixels are wide enough for a long address', async () => {
    await visit({ colorScheme: 'light', reducedMotion: 'reduce' }, async (page) => {
      for (const address of [`/${'a-long-address/'.repeat(9)}${'x'.repeat(99)}`, '/api/auth/login']) {
        await expectSound(page, [address])
        await page.getByRole('link', { name: 'Home' }).waitFor()
      }
    })
  })

  it('axe finds no violation on a refused login', async () => {
    await visit({ colorScheme: 'light', reducedMotion: 'reduce' }, async (page) => {
      await logIn(page, 'admin', 'wrong')
      expect(await violationsOf(page)).toEqual([])
      expect(await violationsInTheDark(page)).toEqual([])
    })
  })
})

/** Pages that their scripts have filled. */
async function expectFilled(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await open(page, address)
    expect(await page.locator('#island:empty').count(), address).toBe(0)
  }
}

/** Pages that their scripts have filled, and that anybody can use, on a small screen too. */
async function expectSound(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await expectFilled(page, [address])
    expect(await violationsOf(page), address).toEqual([])
    expect(await violationsInTheDark(page), `${address} in dark colors`).toEqual([])
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await page.evaluate('document.documentElement.scrollWidth'), address).toBeLessThanOrEqual(320)
    await page.setViewportSize({ width: 1280, height: 720 })
  }
}
