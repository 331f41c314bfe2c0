import { env } from 'node:process'
import type { Page } from 'playwright-core'
import { beforeAll, describe, inject, it } from 'vitest'
import { seed } from '../support/seed.ts'
import { open, visit } from '../support/visit.ts'

/** Only `npm run pictures` takes them: they differ from run to run. */
const isWanted = env['PICTURES'] !== undefined

interface Scene {
  readonly address: string
  readonly width?: number
  readonly height?: number
  /** Who is logged in; an admin unless it says otherwise. */
  readonly as?: string | undefined
  /** What is done with the page before it is taken. */
  readonly act?: (page: Page) => Promise<void>
}

/** What docs/console.md shows. */
const SCENES: Readonly<Record<string, Scene>> = {
  home: { address: '/?endpoint=adminSecure' },
  login: { address: '/login', as: undefined },
  playground: {
    address: '/console/playground',
    height: 1000,
    async act(page) {
      await page.getByRole('button', { name: 'Run all' }).click()
      await page.getByText(/^\d+ of \d+ as documented$/).waitFor()
      await page.getByRole('link', { name: ': GET /api/jdbc/users, JWT' }).click()
      await page.getByText('401 as documented').waitFor()
    },
  },
  webhooks: {
    address: '/console/webhooks?status=FAILED',
    width: 1440,
    height: 900,
    async act(page) {
      // One that was tried three times: the seeded ones wait for their second, third and fourth attempt.
      await page.getByRole('row').filter({ hasText: 'Retrying' }).last().getByRole('link').click()
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
  docs: {
    address: '/docs#adminSecure',
    async act(page) {
      const section = page.locator('#adminSecure')
      await section.getByRole('button', { name: /^Try it/ }).click()
      await section.getByRole('button', { name: 'Send' }).click()
      await section.getByRole('status').getByText('"user": "admin"').waitFor()
    },
  },
  oauth: {
    address: '/oauth2/authorization/google',
    height: 1000,
    as: undefined,
    async act(page) {
      await page.getByRole('button', { name: 'Ada Admin' }).click()
      await open(page, '/console/oauth')
    },
  },
  token: {
    address: '/console/token',
    async act(page) {
      await page.getByRole('button', { name: 'Change the role' }).click()
      await page.getByText('says the service').waitFor()
    },
  },
}

describe.skipIf(!isWanted)('the pictures of the console', () => {
  beforeAll(() => seed(inject('http')))

  describe.each(['light', 'dark'] as const)('in %s colors', (colorScheme) => {
    it.each(Object.entries(SCENES))('%s', async (name, { address, width = 1280, height = 730, act, ...scene }) => {
      const as = 'as' in scene ? scene.as : 'admin'
      const options = { at: address, ...(as && { as }), allow: /./, colorScheme, viewport: { width, height } }
      await visit(options, async (page) => {
        await act?.(page)
        await page.screenshot({ path: `docs/pictures/${name}-${colorScheme}.png`, animations: 'disabled' })
      })
    })
  })
})
