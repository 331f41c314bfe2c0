import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../lib/endpoints/index.ts'
import type { Route } from '../../lib/endpoints/route.ts'
import { isInProfile } from '../../lib/http/routing.ts'
import { ABILITIES, PROFILES, type Profile } from '../spec/profiles.ts'
import { violationsOf } from '../support/axe.ts'
import { chromiumPath, launch } from '../support/chromium.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../support/stack.ts'
import { butRefusals, logIn, open, visit } from '../support/visit.ts'

const path = chromiumPath()
const PLAYGROUND = '/console/playground'

interface Service {
  readonly stack: Stack
  readonly browser: Browser
}

/** The service in a profile, and a browser, for the tests of a block. */
function serve(profile: Profile): Service {
  let stack: Stack
  let browser: Browser
  beforeAll(async () => {
    stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory', PROFILE: profile })
    browser = await launch(path ?? '')
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })
  return {
    get stack() {
      return stack
    },
    get browser() {
      return browser
    },
  }
}

async function runAll(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Run all' }).click()
  const summary = page.getByText(/as expected$/)
  await summary.waitFor()
  return summary.innerText()
}

/** The cells that are not as expected, by what they say. */
function wrongCells(page: Page): Promise<readonly (string | null)[]> {
  return page.locator('.cell[data-tone=bad]').evaluateAll((all) => all.map((cell) => cell.getAttribute('aria-label')))
}

const endpointsOf = (profile: Profile) =>
  Object.values<Route>(ROUTES).filter((route) => route.path.startsWith('/api/') && isInProfile(route, profile)).length

/** The ways in that can be tried, and what the profile has besides: none, JWT and session are tried in each of them. */
const TRIED: Readonly<Record<Profile, number>> = { default: 5, jwt: 4, jdbc: 4, ldap: 4, oauth2: 4 }

describe.skipIf(path === undefined).each(PROFILES)('the playground in profile %s', (profile) => {
  const service = serve(profile)

  it('finds every endpoint as it should be, for admins and for users, and complains of nothing', async () => {
    const { stack, browser } = service
    const [store] = ABILITIES[profile].stores
    const total = TRIED[profile] * endpointsOf(profile)
    const complaints = await visit(browser, { baseURL: stack.ready.http }, async (page) => {
      await logIn(page, `${store}admin`)
      await open(page, PLAYGROUND)
      expect(await runAll(page), String(await wrongCells(page))).toBe(`All ${total} as expected`)
      await logIn(page, `${store}user`)
      await open(page, PLAYGROUND)
      for (const who of await page.getByRole('combobox').all()) {
        const options = await who.locator('option').allInnerTexts()
        await who.selectOption(options.find((option) => option.includes('ROLE_USER')) ?? '')
      }
      expect(await runAll(page), String(await wrongCells(page))).toBe(`All ${total} as expected`)
    })
    expect(butRefusals(complaints)).toEqual([])
  })
})

describe.skipIf(path === undefined)('the playground', () => {
  const service = serve('default')

  const visiting = (options: BrowserContextOptions, run: (page: Page) => Promise<void>) =>
    visit(service.browser, { baseURL: service.stack.ready.http, ...options }, run)

  const cell = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`: ${name}$`) })

  it('shows what was sent and what came back, and copies a command that does the same', async () => {
    const folder = temporaryFolder()
    const sh = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: folder.path })
    const { http } = service.stack.ready
    await sh(`curl -s -c cookies.txt ${http}/login -d username=admin -d password=admin-demo`)
    await visiting({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await logIn(page)
      await open(page, PLAYGROUND)
      for (const [name, status] of [
        ['GET /api/public/hello, no credentials', 200],
        ['POST /api/auth/login, no credentials', 200],
        ['GET /api/admin/secure, JWT', 200],
        ['GET /api/ldap/users, Basic, directory', 200],
        ['GET /api/ldap/users, Basic, database', 401],
        ['POST /api/users, Session', 400],
        ['DELETE /api/users/{userId}, Session', 404],
      ] as const) {
        await cell(page, name.replaceAll(/[{}]/g, '\\$&')).click()
        await page.getByText(`${status} as expected`).waitFor()
        await page.getByRole('button', { name: 'Copy the request as curl' }).click()
        await page.getByRole('button', { name: 'Copied the request as curl' }).waitFor()
        const command = String(await page.evaluate('navigator.clipboard.readText()'))
        expect((await sh(command)).stdout, command).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      }
    })
    folder.remove()
  })

  it.each([
    ['Tampered signature', '401 · Invalid or expired JWT token · INVALID_SIGNATURE'],
    ['Tampered claims', '401 · Invalid or expired JWT token · INVALID_SIGNATURE'],
    ['Expired', '401 · JWT token has expired · EXPIRED'],
    ['Wrong algorithm', '401 · Invalid or expired JWT token · UNSUPPORTED_ALGORITHM'],
    ['No role', '401 · Invalid or expired JWT token · MISSING_CLAIMS'],
    ['Cut off', '401 · Invalid or expired JWT token · MALFORMED'],
    ['Empty', '401 · Invalid or expired JWT token · MISSING'],
    ['No CSRF token', '403 · Invalid CSRF token'],
  ])('%s is refused as documented: %s', async (label, documented) => {
    const complaints = await visiting({}, async (page) => {
      await logIn(page)
      await open(page, PLAYGROUND)
      await page.getByRole('button', { name: label, exact: true }).click()
      await page.getByText('✓ Refused as documented').waitFor()
      expect(await page.getByText(documented).count()).toBe(1)
    })
    expect(butRefusals(complaints)).toEqual([])
  })

  it('takes the token over STOMP, and is refused with a tampered one', async () => {
    const complaints = await visiting({}, async (page) => {
      await open(page, PLAYGROUND)
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByText('sent back: hello').waitFor()
      await page.getByRole('button', { name: 'Connect with a tampered token' }).click()
      await page.getByText('token-status:INVALID_SIGNATURE').waitFor()
    })
    expect(complaints).toEqual([])
  })

  it('says so when the session ends while it is open, and somebody else may log in for the page', async () => {
    await visiting({}, async (page) => {
      await logIn(page)
      await open(page, PLAYGROUND)
      await page.context().clearCookies()
      await cell(page, 'GET /api/auth/info, Session').click()
      await page.getByText('Your session has ended.').waitFor()
      await page.getByText('401, expected 200').waitFor()
      await page.getByRole('combobox', { name: 'JWT: who' }).selectOption('somebody else…')
      await page.getByRole('textbox', { name: 'JWT: user name' }).fill('jdbcuser')
      await page.getByLabel('JWT: password').fill('jdbcuser-demo')
      await page.getByRole('combobox', { name: 'JWT: role' }).selectOption('ROLE_USER')
      await cell(page, 'GET /api/admin/secure, JWT').click()
      await page.getByText('403 as expected').waitFor()
    })
  })

  it.each(['light', 'dark'] as const)(
    'axe finds nothing wrong in %s colours, whatever is open',
    async (colorScheme) => {
      await visiting({ colorScheme }, async (page) => {
        await open(page, PLAYGROUND)
        expect(await violationsOf(page), 'to nobody').toEqual([])
        await runAll(page)
        await cell(page, 'GET /api/admin/secure, JWT').click()
        await page.getByRole('button', { name: 'Cut off' }).click()
        await page.getByRole('button', { name: 'Connect', exact: true }).click()
        await page.getByText('sent back: hello').waitFor()
        expect(await violationsOf(page), 'in use').toEqual([])
      })
    },
  )

  it('is not wider than a screen of 320 pixels', async () => {
    await visiting({ viewport: { width: 320, height: 640 } }, async (page) => {
      await open(page, PLAYGROUND)
      await runAll(page)
      await cell(page, 'GET /api/admin/secure, JWT').click()
      await page.getByText('200 as expected').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
    })
  })
})
