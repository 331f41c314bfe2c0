import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import type { LoginAttack } from '../../lib/contract/login-attacks.ts'
import { expectSound } from '../support/axe.ts'
import { openBrowser, providerUser } from '../support/browserless-login.ts'
import { linesWith } from '../support/service-log.ts'
import { describeInBrowser, logIn, open, type Visit, visit } from '../support/visit.ts'

const ADDRESS = '/console/oauth'
const STEPS = '**/api/oauth2/steps'
const ADMIN = 'Ada Admin'

/** An attack for each message: the label of the check, the number of the message, and the check in the log; all: test/api/oauth2-attacks.test.ts. */
const STOPS: readonly (readonly [attack: LoginAttack, label: string, messages: readonly number[], logged: string])[] = [
  ['other-browser', 'Browser', [5], 'transaction'],
  ['used-code', 'Code', [6], 'code'],
  ['old-nonce', 'Nonce', [7], 'nonce'],
  // With keys of an earlier login the signature is checked when the token arrives.
  ['other-key', 'Signature', [7, 9], 'signature'],
  ['other-user', 'Subject', [11], 'subject'],
]

/** The pages of the providers are elsewhere. */
const ELSEWHERE = /^elsewhere: http:\/\/127\.0\.0\.1:/

describeInBrowser('the page of a login with a provider', () => {
  const visiting = (run: (page: Page) => Promise<void>, options: Visit = {}) =>
    visit({ allow: ELSEWHERE, ...options }, run)

  /** Visits as somebody who logged in with a provider. */
  const visitingFrom = (provider: string, run: (page: Page) => Promise<void>, options?: Visit) =>
    visiting(async (page) => {
      const client = openBrowser()
      await client.login(provider, providerUser(provider, 'ROLE_USER'))
      const cookies = client.jar.all().filter(({ path }) => path === '/')
      await page.context().addCookies(cookies.map(({ name, value }) => ({ name, value, url: inject('http') })))
      await run(page)
    }, options)

  async function play(page: Page, attack: LoginAttack): Promise<void> {
    await open(page, `${ADDRESS}?attack=${attack}`)
    await page.getByRole('link', { name: /^Play / }).click()
    await page.getByRole('button', { name: ADMIN }).click()
    await page.getByText('Attack stopped').waitFor()
  }

  /** The checks that the log of the service names for the refused logins so far. @param count of the lines to wait for */
  async function refusals(count = 0): Promise<readonly unknown[]> {
    const lines = await linesWith(['"OAuth2 login refused"'], count)
    return lines.map((line) => JSON.parse(line).check)
  }

  const states = (page: Page) =>
    page.locator('.lanes li').evaluateAll((items) => items.map((item) => item.getAttribute('data-state')))

  const resultsIn = (page: Page) => page.locator('.pane .steps li > span.wrap').allInnerTexts()

  it('draws all messages of a login with OpenID Connect, with every check passed', async () => {
    // After another login, this one needs no request for the provider's keys.
    await openBrowser().login('google', providerUser('google', 'ROLE_ADMIN'))
    await visitingFrom('google', async (page) => {
      await open(page, ADDRESS)
      await page.getByText('You logged in with google').waitFor()
      await page.getByText('12 checks passed').waitFor()
      const drawn = await states(page)
      expect(drawn.map((state) => state === 'never')).toEqual(
        Array.from({ length: 12 }, (_, at) => at === 7 || at === 8),
      )
      await page.getByRole('link', { name: /^7 tokens/ }).click()
      await page.getByRole('heading', { name: '7 · The provider answers with tokens' }).waitFor()
      expect(await resultsIn(page)).toEqual([
        'Algorithm passed',
        'Expiry passed',
        'Issuer passed',
        'Audience passed',
        'Nonce passed',
        'Signature passed',
      ])
      await page.getByRole('button', { name: 'Previous message' }).click()
      await page.getByText('code_verifier').first().waitFor()
    })
  })

  it.each(['github', 'facebook'])('shows the checks that replace an ID token with %s', async (provider) => {
    await visitingFrom(provider, async (page) => {
      await open(page, `${ADDRESS}?message=tokens`)
      await page.getByText(`You logged in with ${provider}`).waitFor()
      const replaced = ['Algorithm', 'Expiry', 'Issuer', 'Audience', 'Nonce', 'Signature']
      expect(await resultsIn(page)).toEqual(replaced.map((name) => `${name} replaced`))
    })
  })

  it.each<[string, string, (page: Page) => Promise<void>]>([
    ['a visitor without a login', 'You are not logged in.', async () => {}],
    ['a user of the form login', 'You logged in with a password.', (page) => logIn(page)],
  ])('explains to %s how a login works, and sends no request to the service', async (_, text, come) => {
    await visiting(async (page) => {
      await come(page)
      await open(page, `${ADDRESS}?message=callback`)
      await page.getByText(text).waitFor()
      expect(new Set(await states(page))).toEqual(new Set(['explained']))
      await page.getByText('lib/auth/oauth2/receive.ts').first().waitFor()
    })
  })

  it.each(STOPS)(
    '%s: shows the check %s that refused it, with the name from the log',
    async (attack, label, numbers, logged) => {
      const before = (await refusals()).length
      await visiting(async (page) => {
        await play(page, attack)
        expect((await refusals(before + 1)).slice(before)).toEqual([logged])
        await page.getByText(`The check “${label}” refused this login.`).waitFor()
        const drawn = await states(page)
        const stop = drawn.indexOf('stopped')
        expect(numbers).toContain(stop + 1)
        expect(drawn.slice(0, stop)).not.toContain('stopped')
        expect(drawn.at(-1)).toBe('never')
        await page.getByRole('button', { name: /^Open message/ }).click()
        const results = await resultsIn(page)
        expect(results).toContain(`${label} refused`)
        const at = results.indexOf(`${label} refused`)
        expect(results.slice(0, at).filter((text) => !/ (passed|by the provider)$/.test(text))).toEqual([])
        expect(results.slice(at + 1).filter((text) => !text.endsWith(' not reached'))).toEqual([])
      })
    },
  )

  it('shows a repeated attack again, and a later login that succeeds', async () => {
    await visiting(async (page) => {
      await play(page, 'old-nonce')
      await play(page, 'foreign-state')
      await page.getByText('The check “State” refused this login.').waitFor()
      await open(page, `${ADDRESS}?attack=old-nonce`)
      await page.getByText('Not played').waitFor()
      await page.getByRole('link', { name: 'Log in with Google' }).click()
      await page.getByRole('button', { name: ADMIN }).click()
      await page.getByText('You logged in with google').waitFor()
      expect(await states(page)).not.toContain('stopped')
    })
  })

  it('keeps message and attack in the address: Back and a link lead to them', async () => {
    await visiting(async (page) => {
      await open(page, `${ADDRESS}?attack=expired&message=tokens`)
      await page.getByRole('heading', { name: '7 · The provider answers with tokens' }).waitFor()
      expect(await resultsIn(page)).toContain('Expiry refused')
      await page.getByRole('button', { name: 'Foreign state' }).click()
      expect(new URL(page.url()).search).toBe('?attack=foreign-state')
      await page.goBack()
      await page.getByRole('heading', { name: '7 · The provider answers with tokens' }).waitFor()
    })
  })

  it('starts an attack by keyboard alone', async () => {
    await visiting(async (page) => {
      await open(page, ADDRESS)
      await page.getByRole('button', { name: 'Old nonce' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: 'Play this attack' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: ADMIN }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Open message 7' }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: '7 · The provider answers with tokens' }).waitFor()
      await page.keyboard.press('Escape')
      expect(await page.locator('.pane').count()).toBe(0)
    })
  })

  it('ignores a cookie that it cannot read', async () => {
    await visiting(async (page) => {
      const cookie = { name: 'oauth2_refused', value: 'AAAA', domain: '127.0.0.1', path: ADDRESS }
      await page.context().addCookies([cookie])
      await open(page, `${ADDRESS}?attack=old-nonce`)
      await page.getByText('Not played').waitFor()
    })
  })

  it('shows the failure, and tries again', async () => {
    await visitingFrom(
      'github',
      async (page) => {
        await page.route(STEPS, (route) => route.abort())
        await open(page, ADDRESS)
        await page.getByRole('alert').getByText('The service does not answer.').waitFor()
        await page.unroute(STEPS)
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByText('You logged in with github').waitFor()
      },
      { allow: /ERR_FAILED/ },
    )
  })

  it('axe finds no violation in any state, and 320 pixels are wide enough', async () => {
    await visiting(async (page) => {
      await play(page, 'old-nonce')
      for (const query of ['?message=callback', '?attack=old-nonce', '?attack=old-nonce&message=tokens']) {
        await open(page, `${ADDRESS}${query}`)
        await expectSound(page, 'main')
      }
    })
  })
})
