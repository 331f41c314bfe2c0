import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violationsOf } from '../support/axe.ts'
import { chromiumPath } from '../support/chromium.ts'
import { serviceOfTests } from '../support/console-service.ts'
import { payment, postPayment } from '../support/events.ts'
import { butRefusals, logIn, open, visit } from '../support/visit.ts'

const path = chromiumPath()

const PAGES = ['refused', 'destinations', 'replays', 'payments', 'users', 'keys', 'audit', 'account']

/** What one can use. */
const CONTROLS =
  ':is(a[href], button, input, select, textarea, summary, [tabindex="0"]):not([disabled], [type="hidden"])'
const PHONE = { width: 390, height: 844 }
const DESK = { width: 1440, height: 900 }

describe.skipIf(path === undefined)('the lists of the console in a real browser', () => {
  const service = serviceOfTests(path)

  /** Visits a page as an admin; the browser may complain of nothing but refusals that are expected. */
  async function visitPage(
    address: string,
    run: (page: Page) => Promise<void>,
    {
      areRefusalsExpected = false,
      ...options
    }: BrowserContextOptions & { readonly areRefusalsExpected?: boolean } = {},
  ): Promise<void> {
    const { browser, base } = service()
    const complaints = await visit(browser, { baseURL: base, viewport: DESK, ...options }, async (page) => {
      await logIn(page)
      await open(page, address)
      await run(page)
    })
    expect(areRefusalsExpected ? butRefusals(complaints) : complaints).toEqual([])
  }

  /** An attribute of what has the focus. */
  const focused = async (page: Page, name: string) =>
    String(await page.evaluate(`document.activeElement?.getAttribute('${name}')`))

  const dialog = (page: Page) => page.getByRole('dialog')

  it.each(PAGES.flatMap((name) => (['light', 'dark'] as const).map((scheme) => [name, scheme] as const)))(
    'axe finds no violation in %s in %s colors, on a desktop and on a phone',
    async (name, colorScheme) => {
      for (const viewport of [DESK, PHONE])
        await visitPage(`/console/${name}`, async (page) => expect(await violationsOf(page)).toEqual([]), {
          colorScheme,
          viewport,
        })
    },
  )

  it.each(PAGES)('%s needs no horizontal scrolling at 320 pixels', async (name) => {
    await visitPage(
      `/console/${name}`,
      async (page) => {
        const widths = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth'
        expect(await page.evaluate(widths)).toBe(true)
      },
      { viewport: { width: 320, height: 640 } },
    )
  })

  it.each(PAGES)('%s is completely reachable by the Tab key alone', async (name) => {
    await visitPage(`/console/${name}`, async (page) => {
      const found = await page.locator(CONTROLS).evaluateAll((controls) => {
        const shown = controls.filter((control) => control.checkVisibility({ visibilityProperty: true }))
        for (const [index, control] of shown.entries()) control.setAttribute('data-control', String(index))
        return shown.length
      })
      const reached = new Set<string>()
      for (let press = 0; press < found + 40; press++) {
        await page.keyboard.press('Tab')
        reached.add(await focused(page, 'data-control'))
      }
      const missed = Array.from({ length: found }, (_, index) => String(index)).filter((index) => !reached.has(index))
      expect(await Promise.all(missed.map((index) => page.locator(`[data-control="${index}"]`).innerText()))).toEqual(
        [],
      )
    })
  })

  it.each(['payments', 'users', 'audit'] as const)(
    'a row of %s opens with Enter, closes with Escape, and gets the focus back',
    async (name) => {
      await postPayment(payment())
      await visitPage(`/console/${name}`, async (page) => {
        const row = page.locator('tbody a').first()
        await row.focus()
        const address = await row.getAttribute('href')
        await page.keyboard.press('Enter')
        await page.locator('.pane').waitFor()
        await page.keyboard.press('Escape')
        await page.locator('.pane').waitFor({ state: 'detached' })
        expect(await focused(page, 'href')).toBe(address)
      })
    },
  )

  it('a user is created, gets another role, is disabled and deleted', async () => {
    await visitPage('/console/users', async (page) => {
      await page.getByRole('button', { name: 'Create user …' }).click()
      await page.getByLabel('User name').fill('carol')
      await page.getByLabel('Password').fill('a long enough password')
      await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByText('carol is created').waitFor()
      const pane = page.getByRole('region', { name: 'Details' })
      await pane.getByText('ROLE_USER').waitFor()
      await page.getByRole('button', { name: 'Change role …' }).click()
      await dialog(page).getByLabel('Role', { exact: true }).selectOption('ROLE_ADMIN')
      await dialog(page).getByRole('button', { name: 'Change', exact: true }).click()
      await pane.getByText('ROLE_ADMIN').waitFor()
      await page.getByRole('button', { name: 'Disable …' }).click()
      await dialog(page).getByRole('button', { name: 'Disable', exact: true }).click()
      await page.getByRole('button', { name: 'Enable …' }).waitFor()
      await page.getByRole('button', { name: 'Delete …' }).click()
      expect(await violationsOf(page)).toEqual([])
      await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('carol is deleted').waitFor()
      await page.getByRole('link', { name: 'carol' }).waitFor({ state: 'detached' })
    })
  })

  it('a dialog shows why its order was refused, and keeps the input', async () => {
    await visitPage(
      '/console/users',
      async (page) => {
        await page.getByRole('button', { name: 'Create user …' }).click()
        await page.getByLabel('User name').fill('admin')
        await page.getByLabel('Password').fill('a long enough password')
        await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
        await dialog(page).getByRole('alert').getByText('User already exists').waitFor()
        expect(await page.getByLabel('User name').inputValue()).toBe('admin')
        await page.keyboard.press('Escape')
        expect(await dialog(page).count()).toBe(0)
      },
      { areRefusalsExpected: true },
    )
  })

  it('a key is shown once, when it is created', async () => {
    await visitPage('/console/keys', async (page) => {
      await page.getByRole('button', { name: 'Make a key …' }).click()
      await page.getByLabel('Name').fill('warehouse')
      await page.getByLabel(/^Sources/).fill('stripe github')
      await dialog(page).getByRole('button', { name: 'Make', exact: true }).click()
      await page.getByText('Copy it now').waitFor()
      const key = await dialog(page).locator('pre').innerText()
      const statusOf = async (source: string) =>
        (await fetch(`${service().base}/api/webhooks/events?source=${source}`, { headers: { 'x-api-key': key } }))
          .status
      expect([await statusOf('github'), await statusOf('payment')]).toEqual([200, 403])
      await dialog(page).getByText('Close', { exact: true }).click()
      await page.reload()
      expect(await page.content()).not.toContain(key)
      await page.getByRole('link', { name: 'warehouse' }).click()
      await page.getByText('github, stripe').or(page.getByText('stripe, github')).first().waitFor()
      await page.getByRole('button', { name: 'Delete …' }).click()
      await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('warehouse is deleted').waitFor()
    })
  })

  it('a payment links to its event, and Back leads to the payment', async () => {
    const sent = payment()
    await postPayment(sent)
    await visitPage('/console/payments', async (page) => {
      await page.getByRole('link', { name: String(sent['transactionId']) }).click()
      await page.getByRole('link', { name: `payment ${sent['eventId']}` }).click()
      await page.waitForURL(/\/console\/webhooks\?event=/)
      await page.goBack()
      await page.getByRole('region', { name: 'Details' }).waitFor()
      await page.goBack()
      await expect.poll(() => page.getByRole('region', { name: 'Details' }).count()).toBe(0)
      await page.goForward()
      await page.getByRole('region', { name: 'Details' }).waitFor()
    })
  })

  it('a refused call is listed with its cause, and links to advice', async () => {
    const refused = await fetch(`${service().base}/webhooks/stripe`, {
      method: 'POST',
      body: '{}',
      headers: { 'stripe-signature': 't=1,v1=00' },
    })
    expect(refused.status).toBe(400)
    await visitPage('/console/refused', async (page) => {
      await page.locator('tbody a').first().click()
      await page.getByRole('region', { name: 'Details' }).getByText('Judge a recording').waitFor()
      await page.getByRole('combobox', { name: 'Cause' }).selectOption('rate-limited')
      await page.getByText('No webhook was refused').waitFor()
      await page.goBack()
      await page.locator('tbody a').first().waitFor()
    })
  })

  it('a recorded call is explained', async () => {
    await visitPage('/console/refused', async (page) => {
      await page.getByRole('button', { name: /^Explain/ }).click()
      await page.getByLabel('The call as HTTP').fill('POST /webhooks/stripe HTTP/1.1\nContent-Type: a/b\n\n{}')
      await dialog(page).getByRole('button', { name: 'Explain', exact: true }).click()
      await dialog(page).getByRole('status').getByText('Stripe-Signature').waitFor()
      await page.getByLabel('The call as HTTP').fill('nothing')
      await dialog(page).getByRole('button', { name: 'Explain', exact: true }).click()
      await dialog(page).getByRole('alert').getByText('request line').waitFor()
    })
  })

  it('the events of a replay are counted before it starts', async () => {
    await visitPage('/console/replays', async (page) => {
      await page.getByRole('button', { name: 'Retry failed events …' }).click()
      await page.getByLabel(/^Source/).fill('payment')
      await dialog(page).getByRole('button', { name: 'Count' }).click()
      await dialog(page)
        .getByRole('button', { name: /^Start with \d+/ })
        .click()
      await page.getByText('Retry of failed events: payment').first().waitFor()
    })
  })

  it('the audit trail contains the login of the current admin', async () => {
    await visitPage('/console/audit?action=login.accepted', async (page) => {
      await page.getByRole('link', { name: 'Logged in' }).last().click()
      await page.getByText('Sealed by one of our keys').waitFor()
    })
  })

  it('a user ends another session of the same account', async () => {
    await visitPage(
      '/console/account',
      async (page) => {
        const { browser, base } = service()
        await visit(browser, { baseURL: base }, (other) => logIn(other))
        await page.reload({ waitUntil: 'networkidle' })
        const ends = page.getByRole('button', { name: /^End the session/ })
        await ends.first().waitFor()
        const before = await ends.count()
        await ends.first().click()
        await expect.poll(() => ends.count()).toBe(before - 1)
      },
      { areRefusalsExpected: true },
    )
  })

  it('a user without the role sees which role a page requires, and a link to the login', async () => {
    const { browser, base } = service()
    const complaints = await visit(browser, { baseURL: base }, async (page) => {
      for (const name of PAGES) {
        await page.goto(`/console/${name}`)
        await page.getByRole('main').getByRole('link', { name: 'Log in' }).waitFor()
      }
    })
    expect(complaints).toEqual([])
  })
})
