import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { violationsOf } from '../support/axe.ts'
import { chromiumPath, launch } from '../support/chromium.ts'
import { complaintsOf } from '../support/complaints.ts'
import { payment, postPayment } from '../support/events.ts'
import { serve } from '../support/served.ts'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'

const path = chromiumPath()

const PAGES = ['refused', 'destinations', 'replays', 'payments', 'users', 'keys', 'audit', 'account']

const PHONE = { width: 390, height: 844 }
const DESK = { width: 1440, height: 900 }

describe.skipIf(path === undefined)('the lists of the console in a real browser', () => {
  let stack: Stack
  let browser: Browser
  let base: string

  beforeAll(async () => {
    stack = await startStack({
      PORT_OFFSET: String(await freeOffset()),
      DATA_DIR: 'memory',
      WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '1000000',
    })
    base = stack.ready.http
    serve({ http: base, ready: stack.ready, jwtSecret: '' })
    browser = await launch(path ?? '')
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })

  /** Visits a page as an admin, in a browser of its own; nothing may complain but what is `expected`. */
  async function visit(
    address: string,
    run: (page: Page) => Promise<void>,
    { expected = [], ...options }: BrowserContextOptions & { readonly expected?: readonly RegExp[] } = {},
  ): Promise<void> {
    const context = await browser.newContext({ baseURL: base, viewport: DESK, ...options })
    const complaints = complaintsOf(context, base)
    try {
      const page = await context.newPage()
      await page.goto('/login')
      await page.getByRole('textbox', { name: 'User name' }).fill('admin')
      await page.getByRole('textbox', { name: 'Password' }).fill('admin-demo')
      await page.getByRole('button', { name: 'Log in', exact: true }).click()
      await page.goto(address, { waitUntil: 'networkidle' })
      await run(page)
    } finally {
      await context.close()
    }
    expect(complaints.filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([])
  }

  const dialog = (page: Page) => page.getByRole('dialog')

  it.each(PAGES.flatMap((name) => (['light', 'dark'] as const).map((scheme) => [name, scheme] as const)))(
    'axe finds nothing wrong with %s in %s colors, on a desk and on a phone',
    async (name, colorScheme) => {
      for (const viewport of [DESK, PHONE])
        await visit(`/console/${name}`, async (page) => expect(await violationsOf(page)).toEqual([]), {
          colorScheme,
          viewport,
        })
    },
  )

  it.each(PAGES)('%s needs no horizontal scrolling at 320 pixels', async (name) => {
    await visit(
      `/console/${name}`,
      async (page) => {
        const widths = 'document.documentElement.scrollWidth <= document.documentElement.clientWidth'
        expect(await page.evaluate(widths)).toBe(true)
      },
      { viewport: { width: 320, height: 640 } },
    )
  })

  it('a user is created, gets another role, is disabled and deleted', async () => {
    await visit('/console/users', async (page) => {
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
      expect(await page.getByRole('link', { name: 'carol' }).count()).toBe(0)
    })
  })

  it('a dialog shows why its order was refused, and keeps what was typed', async () => {
    await visit(
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
      { expected: [/409/] },
    )
  })

  it('a key is shown once, when it is made', async () => {
    await visit('/console/keys', async (page) => {
      await page.getByRole('button', { name: 'Make a key …' }).click()
      await page.getByLabel('Name').fill('warehouse')
      await page.getByLabel(/^Sources/).fill('stripe github')
      await dialog(page).getByRole('button', { name: 'Make', exact: true }).click()
      await page.getByText('Copy it now').waitFor()
      const key = await dialog(page).locator('pre').innerText()
      const events = await page.request.get('/api/webhooks/events', { headers: { authorization: `Bearer ${key}` } })
      expect([401, 200]).toContain(events.status())
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

  it('a payment leads to the event that made it, and Back leads to the payment', async () => {
    const sent = payment()
    await postPayment(sent)
    await visit('/console/payments', async (page) => {
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

  it('what was refused is there with its cause, and leads to advice', async () => {
    const refused = await fetch(`${base}/webhooks/stripe`, {
      method: 'POST',
      body: '{}',
      headers: { 'stripe-signature': 't=1,v1=00' },
    })
    expect(refused.status).toBe(400)
    await visit('/console/refused', async (page) => {
      await page.locator('tbody a').first().click()
      await page.getByRole('region', { name: 'Details' }).getByText('Judge a recording').waitFor()
      await page.getByRole('combobox', { name: 'Cause' }).selectOption('rate-limited')
      await page.getByText('No webhook was refused').waitFor()
      await page.goBack()
      await page.locator('tbody a').first().waitFor()
    })
  })

  it('a recorded call is explained', async () => {
    await visit('/console/refused', async (page) => {
      await page.getByRole('button', { name: /^Explain/ }).click()
      await page.getByLabel('The call as HTTP').fill('POST /webhooks/stripe HTTP/1.1\nContent-Type: a/b\n\n{}')
      await dialog(page).getByRole('button', { name: 'Explain', exact: true }).click()
      await dialog(page).getByRole('status').getByText('Stripe-Signature').waitFor()
      await page.getByLabel('The call as HTTP').fill('nothing')
      await dialog(page).getByRole('button', { name: 'Explain', exact: true }).click()
      await dialog(page).getByRole('alert').getByText('request line').waitFor()
    })
  })

  it('a replay is counted before it starts', async () => {
    await visit('/console/replays', async (page) => {
      await page.getByRole('button', { name: 'Retry failed events …' }).click()
      await page.getByLabel(/^Source/).fill('payment')
      await dialog(page).getByRole('button', { name: 'Count' }).click()
      await dialog(page)
        .getByRole('button', { name: /^Start with \d+/ })
        .click()
      await page.getByText('Retry of failed events: payment').first().waitFor()
    })
  })

  it('the audit trail has the login of the admin who looks at it', async () => {
    await visit('/console/audit?action=login.accepted', async (page) => {
      await page.getByRole('link', { name: 'Logged in' }).last().click()
      await page.getByText('Sealed by one of our keys').waitFor()
    })
  })

  it('one ends another session of one’s own', async () => {
    await visit(
      '/console/account',
      async (page) => {
        await page.request.post('/api/auth/info')
        const other = await browser.newContext({ baseURL: base })
        const second = await other.newPage()
        await second.goto('/login')
        await second.getByRole('textbox', { name: 'User name' }).fill('admin')
        await second.getByRole('textbox', { name: 'Password' }).fill('admin-demo')
        await second.getByRole('button', { name: 'Log in', exact: true }).click()
        await page.reload({ waitUntil: 'networkidle' })
        const ends = page.getByRole('button', { name: /^End the session/ })
        await ends.first().waitFor()
        const before = await ends.count()
        await ends.first().click()
        await expect.poll(() => ends.count()).toBe(before - 1)
        await other.close()
      },
      { expected: [/40[135]/] },
    )
  })

  it('somebody without the role is told who may see a page, and how to get there', async () => {
    const context = await browser.newContext({ baseURL: base })
    const page = await context.newPage()
    for (const name of PAGES) {
      await page.goto(`/console/${name}`)
      await page.getByRole('main').getByRole('link', { name: 'Log in' }).waitFor()
    }
    await context.close()
  })
})
