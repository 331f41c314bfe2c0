import type { BrowserContext, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectSound } from '../support/axe.ts'
import { atLocalhost } from '../support/localhost.ts'
import { describeInBrowser, logIn, newUser, open, visit } from '../support/visit.ts'

/** Refused calls, and a refused login. */
const REFUSED = /^(?:4\d\d: http:\/\/[^/]+\/(?:api\/|login\/passkey$)|console: Failed to load resource: .* 4\d\d )/

describeInBrowser('passkeys, with the virtual authenticator of the browser', () => {
  atLocalhost()

  /** Visits the account of a new user. */
  async function visiting(run: (page: Page, context: BrowserContext, username: string) => Promise<void>) {
    const username = await newUser()
    await visit({ at: '/console/account', as: username, allow: REFUSED }, (page, context) =>
      run(page, context, username),
    )
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
    await visiting(async (page, context, username) => {
      await withAuthenticator(context, page)
      await add(page, 'laptop')
      await page.getByText('never used').waitFor()
      await context.clearCookies()
      await open(page, '/login?returnTo=/console/account')
      await logInButton(page).click()
      await page.waitForURL('/console/account')
      expect(await userName(page)).toBe(username)
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

  it('a user whom the authenticator does not verify sees the reason, and can log in with the form', async () => {
    await visiting(async (page, context, username) => {
      const verify = await withAuthenticator(context, page)
      await add(page, 'laptop')
      await verify(false)
      await context.clearCookies()
      await open(page, '/login')
      await logInButton(page).click()
      await page.getByRole('alert').getByText('was canceled').waitFor()
      await expectSound(page)
      await logIn(page, username)
      expect(await userName(page)).toBe(username)
    })
  })

  it('axe finds no violation in an account with a long name of a passkey, and 320 pixels are wide enough', async () => {
    await visiting(async (page, context) => {
      await withAuthenticator(context, page)
      await add(page, 'a-long-name-of-sixty-four-characters-without-any-blank-in-itself')
      await expectSound(page)
    })
  })

  it.each([
    ['passkeys in the browser', {}],
    ['scripts', { javaScriptEnabled: false }],
  ])('without %s there is no button', async (_, options) => {
    await visit(options, async (page) => {
      await page.addInitScript('delete globalThis.PublicKeyCredential')
      await page.goto('/login')
      expect(await logInButton(page).count()).toBe(0)
    })
  })

  it('the account states that the browser has no passkeys', async () => {
    await visit({ as: 'user' }, async (page) => {
      await page.addInitScript('delete globalThis.PublicKeyCredential')
      await page.goto('/console/account')
      await page.getByText('This browser has no passkeys').waitFor()
    })
  })
})

/**
 * https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/
 * @returns sets whether it verifies its user from now on
 */
async function withAuthenticator(context: BrowserContext, page: Page) {
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
  return (isUserVerified: boolean) => session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}
