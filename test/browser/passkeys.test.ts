import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOf } from '../support/axe.ts'
import { chromiumPath, launch } from '../support/chromium.ts'
import { complaintsOf } from '../support/complaints.ts'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'
import { butRefusals, logIn, open } from '../support/visit.ts'

const path = chromiumPath()

const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [1440, 390].map((width) => ({ colorScheme, width })),
)

const REFUSED_LOGIN = /^401: http:\/\/[^/]+\/login\/passkey$/

describe.skipIf(path === undefined)('passkeys in a real browser, with its virtual authenticator', () => {
  let browser: Browser
  let stack: Stack
  let base: string

  beforeAll(async () => {
    const offset = await freeOffset()
    base = `http://localhost:${3000 + offset}`
    stack = await startStack({ PORT_OFFSET: String(offset), DATA_DIR: 'memory', BASE_URL: base })
    browser = await launch(path ?? '')
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })

  /** Visits in a browser of its own, which may complain of nothing but refused calls. */
  async function visiting(run: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> {
    const context = await browser.newContext({ baseURL: base })
    const complaints = complaintsOf(context, base)
    try {
      await run(await context.newPage(), context)
    } finally {
      await context.close()
    }
    expect(butRefusals(complaints).filter((one) => !REFUSED_LOGIN.test(one))).toEqual([])
  }

  const dialog = (page: Page) => page.getByRole('dialog')
  const userName = async (page: Page) => (await (await page.request.get('/api/auth/info')).json()).username

  async function add(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Add a passkey …' }).click()
    await page.getByLabel('Name').fill(name)
    await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText(`${name} is added`).waitFor()
  }

  async function remove(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: `Remove ${name} …` }).click()
    await dialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText(`${name} is removed`).waitFor()
  }

  const logInButton = (page: Page) => page.getByRole('button', { name: 'Log in with a passkey' })

  it('a passkey is added, logs in and leads back to the page, and is refused after its removal', async () => {
    await visiting(async (page, context) => {
      await withAuthenticator(context, page)
      await logIn(page)
      await open(page, '/console/account')
      await add(page, 'laptop')
      await page.getByText('never used').waitFor()
      await context.clearCookies()
      await open(page, '/login?returnTo=/console/account')
      await logInButton(page).click()
      await page.waitForURL('/console/account')
      expect(await userName(page)).toBe('admin')
      await page.getByText('a passkey', { exact: true }).waitFor()
      await page
        .getByText(/^used /)
        .first()
        .waitFor()
      await remove(page, 'laptop')
      await context.clearCookies()
      await open(page, '/login')
      await logInButton(page).click()
      await page.getByRole('alert').getByText('This passkey does not log in').waitFor()
      expect(await userName(page)).toBeUndefined()
    })
  })

  it('an account has two passkeys on two authenticators, and each authenticator has only one', async () => {
    await visiting(async (page, context) => {
      const first = await withAuthenticator(context, page)
      await logIn(page, 'user')
      await open(page, '/console/account')
      await add(page, 'laptop')
      await page.getByRole('button', { name: 'Add a passkey …' }).click()
      await page.getByLabel('Name').fill('again')
      await dialog(page).getByRole('button', { name: 'Add', exact: true }).click()
      await dialog(page).getByRole('alert').getByText('already has a passkey').waitFor()
      await page.keyboard.press('Escape')
      await first.remove()
      await withAuthenticator(context, page)
      await add(page, 'phone')
      await context.clearCookies()
      await open(page, '/login')
      await logInButton(page).click()
      await page.waitForURL('/')
      expect(await userName(page)).toBe('user')
      await open(page, '/console/account')
      await remove(page, 'phone')
      await remove(page, 'laptop')
    })
  })

  it('a user whom the authenticator does not verify sees the reason, and can log in with the form', async () => {
    await visiting(async (page, context) => {
      const { verify } = await withAuthenticator(context, page)
      await logIn(page)
      await open(page, '/console/account')
      await add(page, 'laptop')
      await verify(false)
      await context.clearCookies()
      await open(page, '/login')
      await logInButton(page).click()
      await page.getByRole('alert').getByText('was canceled').waitFor()
      expect(await violationsOf(page)).toEqual([])
      await logIn(page)
      expect(await userName(page)).toBe('admin')
      await open(page, '/console/account')
      await remove(page, 'laptop')
    })
  })

  it('a passkey is added and removed by keyboard alone', async () => {
    await visiting(async (page, context) => {
      await withAuthenticator(context, page)
      await logIn(page, 'user')
      await open(page, '/console/account')
      await page.getByRole('button', { name: 'Add a passkey …' }).focus()
      await page.keyboard.press('Enter')
      await dialog(page).waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.type('key')
      await page.keyboard.press('Enter')
      await page.getByText('key is added').waitFor()
      await page.getByRole('button', { name: 'Remove key …' }).focus()
      await page.keyboard.press('Enter')
      await dialog(page).getByRole('button', { name: 'Remove', exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('key is removed').waitFor()
    })
  })

  it('axe finds no violation, and nothing requires scrolling sideways at 320 pixels', async () => {
    await visiting(async (page, context) => {
      await withAuthenticator(context, page)
      await logIn(page)
      await open(page, '/console/account')
      await add(page, 'a-long-name-of-sixty-four-characters-without-any-blank-in-itself')
      for (const address of ['/console/account', '/login']) {
        for (const { colorScheme, width } of LOOKS) {
          await page.emulateMedia({ colorScheme })
          await page.setViewportSize({ width, height: 900 })
          await open(page, address)
          expect(await violationsOf(page), `${address} ${colorScheme} ${width}`).toEqual([])
        }
        await page.setViewportSize({ width: 320, height: 640 })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
      }
    })
  })

  it('without passkeys in the browser there is no button, and without scripts there is none either', async () => {
    await visiting(async (page) => {
      await page.addInitScript('delete globalThis.PublicKeyCredential')
      await open(page, '/login')
      expect(await logInButton(page).count()).toBe(0)
      await logIn(page)
      await open(page, '/console/account')
      await page.getByText('This browser has no passkeys').waitFor()
    })
    const context = await browser.newContext({ baseURL: base, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto('/login')
    expect(await logInButton(page).count()).toBe(0)
    await context.close()
  })
})

interface VirtualAuthenticator {
  remove(): Promise<unknown>
  /** Whether it verifies its user from now on. */
  verify(isVerified: boolean): Promise<unknown>
}

/** https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/ */
async function withAuthenticator(context: BrowserContext, page: Page): Promise<VirtualAuthenticator> {
  const session = await context.newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    remove: () => session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }),
    verify: (isUserVerified) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
  }
}
