import type { Page } from 'playwright-core'
import { beforeAll, expect, inject, it } from 'vitest'
import { SCRIPT_PAGES } from '../../lib/contract/console.ts'
import { expectSound } from '../support/axe.ts'
import { payment, postPayment } from '../support/events.ts'
import { describeInBrowser, open, REFUSED_CALLS, visit } from '../support/visit.ts'

const LONG = `/${'a-long-address/'.repeat(9)}${'x'.repeat(99)}`
const OF_PROVIDERS = ['google', 'github', 'facebook'].map((id) => `/oauth2/authorization/${id}`)

/** What one can use. */
const CONTROLS =
  ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not([disabled], [type="hidden"])'

/** A list of events is walked by keys of its own. */
const WALKED = SCRIPT_PAGES.filter((name) => !['webhooks', 'playground', 'oauth', 'token'].includes(name))

/** What a browser logs about a page of a failure, or of a provider. */
const FAILURE = /^(?:elsewhere: http:\/\/127\.0\.0\.1:|[34]\d\d: |console: Failed to load resource)/

describeInBrowser('every page', () => {
  beforeAll(async () => {
    await postPayment(payment())
    await fetch(`${inject('http')}/webhooks/stripe`, { method: 'POST', body: '{}' })
  })

  async function expectSoundWithDetails(page: Page): Promise<void> {
    for (const details of await page.locator('summary:visible').all()) await details.click()
    await expectSound(page)
  }

  it.each(['/', '/login?canceled=google', '/console/users', '/console/account'])(
    'C01 axe finds no violation in %s to nobody, and 320 pixels are wide enough',
    (at) => visit({ at }, expectSoundWithDetails),
  )

  it.each(['/login?error&returnTo=/console/webhooks', LONG, '/api/auth/login', ...OF_PROVIDERS])(
    'axe finds no violation in the page of a failure or a provider at %s, and 320 pixels are wide enough',
    (at) => visit({ at, allow: FAILURE }, expectSoundWithDetails),
  )

  it.each(['/nope', '/login/oauth/authorize?client_id=evil'])(
    'the page on which a demo provider refuses %s is as sound, and links back',
    async (address) => {
      await visit({ at: new URL(address, inject('ready').idp?.github ?? '').href, allow: FAILURE }, async (page) => {
        await expectSound(page)
        await page.getByRole('link', { name: 'Back to Gatehouse' }).click()
        await page.waitForURL('/login')
      })
    },
  )

  it.each(['/', '/?endpoint=usersDelete', '/login'])(
    'axe finds no violation in %s to an admin, and 320 pixels are wide enough',
    (at) => visit({ at, as: 'admin' }, expectSoundWithDetails),
  )

  it('the first page of the console needs at most 12 requests and 80 KB', async () => {
    await visit({ as: 'admin' }, async (page, context) => {
      const network = await context.newCDPSession(page)
      await network.send('Network.enable')
      let [requests, bytes] = [0, 0]
      network.on('Network.loadingFinished', ({ encodedDataLength }) => {
        requests++
        bytes += encodedDataLength
      })
      await open(page, '/console/webhooks')
      await page.getByText(/^Live/).waitFor()
      expect({ requests, bytes }).toEqual({
        requests: expect.toSatisfy((count) => count <= 12),
        bytes: expect.toSatisfy((size) => size < 80_000),
      })
    })
  })

  it.each(SCRIPT_PAGES)('C01 the script of %s fills it for an admin, and calls no other host', async (name) => {
    await visit({ at: `/console/${name}`, as: 'admin' }, async (page) => {
      expect(await page.locator('#island:empty').count()).toBe(0)
      await expectSound(page)
    })
  })

  it.each(WALKED)('the Tab key alone reaches everything in %s', async (name) => {
    await visit({ at: `/console/${name}`, as: 'admin' }, async (page) => {
      const focused = () => page.evaluate('document.activeElement?.getAttribute("data-control")')
      const found = await page.locator(CONTROLS).evaluateAll((controls) => {
        const shown = controls.filter((control) => control.checkVisibility({ visibilityProperty: true }))
        for (const [index, control] of shown.entries()) control.setAttribute('data-control', String(index))
        return shown.length
      })
      const reached = new Set<unknown>()
      for (let press = 0; press < found + 40 && reached.size <= found; press++) {
        await page.keyboard.press('Tab')
        reached.add(await focused())
      }
      const missed = Array.from({ length: found }, (_, index) => String(index)).filter((index) => !reached.has(index))
      const texts = missed.map((index) => page.locator(`[data-control="${index}"]`).innerText())
      expect(await Promise.all(texts)).toEqual([])
    })
  })

  it.each(SCRIPT_PAGES.filter((name) => !['playground', 'oauth', 'token'].includes(name)))(
    '%s shows a visitor a link to the login',
    async (name) => {
      await visit({ at: `/console/${name}`, allow: REFUSED_CALLS }, (page) =>
        page.getByRole('main').getByRole('link', { name: 'Log in' }).first().waitFor(),
      )
    },
  )
})
