import { execFile } from 'node:child_process'
import { delimiter, resolve } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isInProfile } from '../../lib/auth/profile.ts'
import { ROUTES } from '../../lib/endpoints/index.ts'
import type { Route } from '../../lib/endpoints/route.ts'
import { ABILITIES, PROFILES, type Profile } from '../spec/profiles.ts'
import { violationsOf } from '../support/axe.ts'
import { chromiumPath, launch } from '../support/chromium.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../support/stack.ts'
import { REFUSED_ATTACKS } from '../support/token-attacks.ts'
import { butRefusals, logIn, open, visit } from '../support/visit.ts'

const path = chromiumPath()
const LAB = '/console/playground'

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

const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' })

/** A cell by its call: `GET /api/admin/secure, JWT`. */
const cell = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`: ${RegExp.escape(name)}$`) })

async function runAll(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Run all' }).click()
  const summary = page.getByText(/^\d+ of \d+ as documented$/)
  await summary.waitFor({ timeout: 110_000 })
  return summary.innerText()
}

/** The cells that are not as documented, by what they say. */
function wrongCells(page: Page): Promise<readonly string[]> {
  return page.locator('.cell[data-tone=bad]').allInnerTexts()
}

const endpointsOf = (profile: Profile) =>
  Object.values<Route>(ROUTES).filter((route) => route.path.startsWith('/api/') && isInProfile(route, profile)).length

/** The ways in that can be tried, and what the profile has besides: none, JWT and session are tried in each of them. */
const TRIED: Readonly<Record<Profile, number>> = { default: 5, jwt: 4, jdbc: 4, ldap: 4, oauth2: 4 }

describe.skipIf(path === undefined).each(PROFILES)('the auth lab in profile %s', (profile) => {
  const service = serve(profile)

  it('finds every endpoint as documented, for admins and for users, and reports no difference', async () => {
    const { stack, browser } = service
    const [store] = ABILITIES[profile].stores
    const total = TRIED[profile] * endpointsOf(profile)
    const complaints = await visit(browser, { baseURL: stack.ready.http }, async (page) => {
      await logIn(page, `${store}admin`)
      await open(page, LAB)
      expect(await runAll(page), String(await wrongCells(page))).toBe(`${total} of ${total} as documented`)
      await logIn(page, `${store}user`)
      await open(page, LAB)
      for (const who of await page.getByRole('combobox').all()) {
        const options = await who.locator('option').allInnerTexts()
        const user = options.find((option) => option.endsWith('user'))
        if (user !== undefined) await who.selectOption(user)
      }
      expect(await runAll(page), String(await wrongCells(page))).toBe(`${total} of ${total} as documented`)
    })
    expect(butRefusals(complaints)).toEqual([])
  })

  it('shows the rules of the endpoints of other profiles, and states that it did not call them', async () => {
    const { stack, browser } = service
    await visit(browser, { baseURL: stack.ready.http }, async (page) => {
      await open(page, LAB)
      await page.getByRole('link', { name: 'All profiles' }).click()
      await page.getByRole('button', { name: 'JWT', exact: true }).click()
      const answers = { default: 200, jwt: 200, jdbc: 401, ldap: 401, oauth2: 401 }
      for (const [other, status] of Object.entries(answers)) {
        const name = `${status} expected: GET /api/auth/info, JWT, profile ${other}`
        expect(await page.getByRole('link', { name, exact: true }).count(), name).toBe(1)
      }
      const other = profile === 'jdbc' ? 'ldap' : 'jdbc'
      await cell(page, `GET /api/auth/info, JWT, profile ${other}`).click()
      await inspector(page).getByText('401 expected, not called').waitFor()
      await inspector(page).getByText(`PROFILE=${other} npm start`).waitFor()
      await cell(page, `GET /api/auth/info, JWT, profile ${profile}`).click()
      await inspector(page).getByText(`${answers[profile]} as documented`).waitFor()
    })
  })
})

describe.skipIf(path === undefined)('the auth lab', () => {
  const service = serve('default')

  const visiting = (options: BrowserContextOptions, run: (page: Page) => Promise<void>) =>
    visit(service.browser, { baseURL: service.stack.ready.http, ...options }, run)

  it('shows the request and the answer, and copies an equivalent command', async () => {
    const folder = temporaryFolder()
    const sh = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: folder.path })
    const { http } = service.stack.ready
    await sh(`curl -s -c cookies.txt ${http}/login -d username=admin -d password=admin-demo`)
    await visiting({ permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await logIn(page)
      await open(page, LAB)
      for (const [name, status] of [
        ['GET /api/public/hello, None', 200],
        ['POST /api/auth/login, None', 200],
        ['GET /api/admin/secure, JWT', 200],
        ['GET /api/ldap/users, Basic LDAP', 200],
        ['GET /api/ldap/users, Basic DB', 401],
        ['POST /api/users, Session', 400],
        ['DELETE /api/users/{userId}, Session', 404],
      ] as const) {
        await cell(page, name).click()
        await inspector(page).getByText(`${status} as documented`).waitFor()
        await page.getByRole('button', { name: 'Copy the request as curl' }).click()
        await page.getByRole('button', { name: 'Copied the request as curl' }).waitFor()
        const command = String(await page.evaluate('navigator.clipboard.readText()'))
        expect((await sh(command)).stdout, command).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      }
    })
    folder.remove()
  })

  it.each(['GET /api/admin/secure, JWT', 'POST /api/users, Basic DB'])(
    'leads from %s to its operation in the API reference',
    async (name) => {
      await visiting({}, async (page) => {
        await open(page, LAB)
        await cell(page, name).click()
        await inspector(page).getByRole('link', { name: 'This endpoint in the API reference' }).click()
        await page
          .locator('section:target')
          .getByText(name.split(/[ ,]/)[1] ?? '')
          .first()
          .waitFor()
      })
    },
  )

  it('shows each check of a decision as a step, up to the one that refuses', async () => {
    await visiting({}, async (page) => {
      await open(page, LAB)
      await page.getByRole('combobox', { name: 'Basic LDAP: caller' }).selectOption('ldapuser')
      await cell(page, 'POST /api/users, Basic LDAP').click()
      await inspector(page).getByText('403 as documented').waitFor()
      expect(await inspector(page).getByRole('listitem').allInnerTexts()).toEqual([
        expect.stringMatching(/^Credentials the password fits a user of the directory\s+passed$/),
        expect.stringMatching(/^Role the caller has ROLE_USER\s+ROLE_ADMIN: 403$/),
        expect.stringMatching(/^Permission\s+not reached$/),
        expect.stringMatching(/^Input\s+not reached$/),
      ])
    })
  })

  it('moves no cell by a click, and closes an opened cell with Back', async () => {
    await visiting({ viewport: { width: 1440, height: 900 } }, async (page) => {
      await open(page, LAB)
      const target = cell(page, 'GET /api/user/secure, JWT')
      const before = await target.boundingBox()
      await target.click()
      await inspector(page).getByText('200 as documented').waitFor()
      expect(await target.boundingBox()).toEqual(before)
      expect(new URL(page.url()).search).toBe('?open=userSecure.bearer')
      await page.goBack()
      await page.getByRole('heading', { name: 'Nothing is open' }).waitFor()
      expect(await target.boundingBox()).toEqual(before)
    })
  })

  it('opens the cell of its address without a call', async () => {
    await visiting({}, async (page) => {
      const called: string[] = []
      page.on('request', (request) => called.push(new URL(request.url()).pathname))
      await open(page, `${LAB}?open=adminSecure.none`)
      await inspector(page).getByText('401 expected').waitFor()
      expect(called).not.toContain('/api/admin/secure')
      await inspector(page).getByRole('button', { name: 'Send' }).click()
      await inspector(page).getByText('401 as documented').waitFor()
    })
  })

  it.each<readonly [string, string | undefined]>([...REFUSED_ATTACKS, ['No CSRF token', undefined]])(
    '%s is refused as documented: %s',
    async (label, tokenStatus) => {
      const message = tokenStatus === 'EXPIRED' ? 'JWT token has expired' : 'Invalid or expired JWT token'
      const documented = tokenStatus ? `401 · ${message} · ${tokenStatus}` : '403 · Invalid CSRF token'
      const complaints = await visiting({}, async (page) => {
        await logIn(page)
        await open(page, LAB)
        await page.getByRole('button', { name: label, exact: true }).click()
        await inspector(page).getByText(`${documented} as documented`, { exact: true }).waitFor()
        const [refused, ...others] = await inspector(page).locator('li:has(use[href$="#bad"])').allInnerTexts()
        expect(others).toEqual([])
        expect(refused).toContain(tokenStatus ?? 'CSRF token')
      })
      expect(butRefusals(complaints)).toEqual([])
    },
  )

  it('calls as another user without moving the other callers', async () => {
    await visiting({ viewport: { width: 1440, height: 900 } }, async (page) => {
      await logIn(page)
      await open(page, LAB)
      const other = page.getByRole('combobox', { name: 'Basic DB: caller' })
      const before = await other.boundingBox()
      const caller = page.getByRole('combobox', { name: 'JWT: caller' })
      await caller.selectOption('somebody else …')
      const dialog = page.getByRole('dialog', { name: 'JWT: somebody else' })
      await dialog.waitFor()
      expect(await other.boundingBox()).toEqual(before)
      await page.keyboard.press('Escape')
      expect(await caller.inputValue()).toBe('0')
      await caller.selectOption('somebody else …')
      await dialog.getByRole('textbox', { name: 'User name' }).fill('jdbcuser')
      await dialog.getByLabel('Password').fill('jdbcuser-demo')
      await dialog.getByRole('combobox', { name: 'Role' }).selectOption('ROLE_USER')
      await dialog.getByRole('button', { name: 'Use' }).click()
      await cell(page, 'GET /api/admin/secure, JWT').click()
      await inspector(page).getByText('403 as documented').waitFor()
      await inspector(page).getByText('JWT as jdbcuser').waitFor()
    })
  })

  it('reports the end of the session while it is open', async () => {
    await visiting({}, async (page) => {
      await logIn(page)
      await open(page, LAB)
      await page.context().clearCookies()
      await cell(page, 'GET /api/auth/info, Session').click()
      await page.getByText('Your session has ended.').waitFor()
      await inspector(page).getByText('401, documented is 200').waitFor()
    })
  })

  it('accepts the token over STOMP, and shows the refusal of a changed one', async () => {
    const complaints = await visiting({}, async (page) => {
      await open(page, LAB)
      await page.getByRole('button', { name: 'STOMP and gRPC …' }).click()
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByText('sent back: hello').waitFor()
      await page.getByRole('button', { name: 'Connect with a changed signature' }).click()
      await page.getByText('token-status:INVALID_SIGNATURE').waitFor()
    })
    expect(complaints).toEqual([])
  })

  it('shows the gRPC port in a command that works', async () => {
    const { http, grpc } = service.stack.ready
    await visiting({}, async (page) => {
      await open(page, LAB)
      await page.getByRole('button', { name: 'STOMP and gRPC …' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(`-plaintext -H "authorization: Bearer $TOKEN" ${grpc} `).waitFor()
      const command = await dialog.getByRole('region', { name: 'the call with npm' }).locator('pre').innerText()
      const body = new URLSearchParams({ username: 'admin', password: 'admin-demo' })
      const { token } = (await (await fetch(`${http}/api/auth/login`, { method: 'POST', body })).json()) as {
        readonly token: string
      }
      const bin = `${resolve('node_modules/.bin')}${delimiter}${env['PATH']}`
      const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('npx ', '')], {
        env: { ...env, PATH: bin, TOKEN: token },
      })
      expect(JSON.parse(stdout)).toMatchObject({ username: 'admin' })
    })
  })

  it('works by keyboard alone', async () => {
    await visiting({ viewport: { width: 1440, height: 900 } }, async (page) => {
      await open(page, LAB)
      await page.getByRole('link', { name: 'All profiles' }).focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      for (const key of [
        'ArrowDown',
        'ArrowDown',
        'ArrowDown',
        'ArrowDown',
        'ArrowRight',
        'ArrowLeft',
        'ArrowLeft',
        'ArrowUp',
      ])
        await page.keyboard.press(key)
      await page.keyboard.press('Enter')
      await inspector(page).getByText('401 as documented').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { name: 'Nothing is open' }).waitFor()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await inspector(page).getByText('200 as documented').waitFor()
    })
  })

  describe.each(['light', 'dark'] as const)('in %s colors', (colorScheme) => {
    it.each([1440, 390])('has no axe violation at %d pixels in any state', async (width) => {
      await visiting({ colorScheme, viewport: { width, height: 900 } }, async (page) => {
        const back = () => (width < 768 ? page.getByRole('button', { name: 'Back to the list' }).click() : undefined)
        await open(page, LAB)
        expect(await violationsOf(page), 'to nobody').toEqual([])
        await runAll(page)
        expect(await violationsOf(page), 'called').toEqual([])
        await cell(page, 'GET /api/admin/secure, JWT').click()
        await inspector(page).getByText('200 as documented').waitFor()
        expect(await violationsOf(page), 'a call').toEqual([])
        await back()
        await page.getByRole('button', { name: 'Cut it off' }).click()
        await inspector(page).getByText('MALFORMED as documented').waitFor()
        expect(await violationsOf(page), 'an attack').toEqual([])
        await back()
        await page.getByRole('link', { name: 'All profiles' }).click()
        await page.getByRole('button', { name: 'Only differences' }).click()
        expect(await violationsOf(page), 'profiles').toEqual([])
        await page.getByRole('button', { name: 'STOMP and gRPC …' }).click()
        await page.getByRole('button', { name: 'Connect', exact: true }).click()
        await page.getByText('sent back: hello').waitFor()
        expect(await violationsOf(page), 'channels').toEqual([])
      })
    })
  })

  it('is not wider than a screen of 320 pixels', async () => {
    await visiting({ viewport: { width: 320, height: 640 } }, async (page) => {
      const isNarrow = async (what: string) =>
        expect(await page.evaluate('document.documentElement.scrollWidth'), what).toBeLessThanOrEqual(320)
      await open(page, LAB)
      await runAll(page)
      await isNarrow('matrix')
      await cell(page, 'GET /api/admin/secure, JWT').click()
      await inspector(page).getByText('200 as documented').waitFor()
      await isNarrow('inspector')
      await page.getByRole('button', { name: 'Back to the list' }).click()
      await page.getByRole('link', { name: 'All profiles' }).click()
      await isNarrow('profiles')
      await page.getByRole('button', { name: 'STOMP and gRPC …' }).click()
      await isNarrow('channels')
    })
  })
})
