import { env } from 'node:process'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromiumPath, launch } from '../support/chromium.ts'
import { command } from '../support/command.ts'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'
import { logIn as logInByForm, open, visit } from '../support/visit.ts'

/** Only `npm run pictures` takes them: they differ from run to run. */
const path = env['PICTURES'] ? chromiumPath() : undefined

interface Scene {
  readonly address: string
  readonly height?: number
  readonly logIn?: (page: Page) => Promise<void>
  /** What is done with the page before it is taken. */
  readonly act?: (page: Page) => Promise<void>
}

/** What docs/console.md shows. */
const SCENES: Readonly<Record<string, Scene>> = {
  home: { address: '/?endpoint=adminSecure' },
  login: { address: '/login', logIn: async () => {} },
  playground: {
    address: '/console/playground',
    height: 1000,
    async act(page) {
      await page.getByRole('button', { name: 'Run all' }).click()
      await page.getByText(/as expected$/).waitFor()
    },
  },
  webhooks: {
    address: '/console/webhooks?status=FAILED',
    height: 900,
    async act(page) {
      await page.locator('tbody a').first().click()
      await page.getByRole('heading', { name: 'Attempts' }).waitFor()
    },
  },
  payments: {
    address: '/console/payments?status=REFUNDED',
    async act(page) {
      await page.locator('tbody a').first().click()
      await page.getByRole('region', { name: 'Details' }).waitFor()
    },
  },
  users: { address: '/console/users' },
  oauth: {
    address: '/console/oauth',
    height: 1000,
    async logIn(page) {
      await page.goto('/oauth2/authorization/google')
      await page.getByRole('button', { name: 'Ada Admin' }).click()
    },
  },
  token: {
    address: '/console/token',
    async act(page) {
      await page.getByRole('button', { name: 'Log in for a token' }).click()
      await page.getByRole('button', { name: 'Ask the service' }).click()
      await page.locator('.verification .badge').waitFor()
    },
  },
}

describe.skipIf(path === undefined)('the pictures of the console', () => {
  let stack: Stack
  let browser: Browser

  beforeAll(async () => {
    const PORT_OFFSET = String(await freeOffset())
    stack = await startStack({ PORT_OFFSET, DATA_DIR: 'memory' })
    const seeded = await command('seed', ['--events', '400'], { PORT_OFFSET })
    expect(seeded).toMatchObject({ code: 0 })
    browser = await launch(path ?? '')
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })

  describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
    it.each(Object.entries(SCENES))('%s', async (name, { address, height = 730, logIn = logInByForm, act }) => {
      const options = { baseURL: stack.ready.http, colorScheme, viewport: { width: 1280, height } }
      await visit(browser, options, async (page) => {
        await logIn(page)
        await open(page, address)
        await act?.(page)
        await page.screenshot({ path: `docs/pictures/${name}-${colorScheme}.png`, animations: 'disabled' })
      })
    })
  })
})
