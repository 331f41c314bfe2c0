import { execFileSync } from 'node:child_process'
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { expectSound } from '../support/axe.ts'
import { call } from '../support/client.ts'
import { eventDetail, genericSignature, payment, postJson, postPayment } from '../support/events.ts'
import { describeInBrowser, logIn, newUser, REFUSED_CALLS, type Visit, visit } from '../support/visit.ts'

describeInBrowser('the lists of the console', () => {
  const visitPage = (at: string, run: (page: Page) => Promise<void>, options: Visit = {}) =>
    visit({ at, as: 'admin', ...options }, run)

  const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }

  /** An attribute of what has the focus. */
  const focused = async (page: Page, name: string) =>
    String(await page.evaluate(`document.activeElement?.getAttribute('${name}')`))

  const dialog = (page: Page) => page.getByRole('dialog')

  it.each(['payments', 'users', 'audit'] as const)(
    'a row of %s opens with Enter, closes with Escape, and gets the focus back',
    async (name) => {
      await postPayment(payment())
      await visitPage(`/console/${name}`, async (page) => {
        // Another row may be the first one a moment later.
        const address = await page.locator('tbody a').first().getAttribute('href')
        await page.locator(`tbody a[href="${address}"]`).focus()
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
      await expectSound(page, 'dialog')
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
        const create = dialog(page).getByRole('button', { name: 'Create', exact: true })
        await page.getByLabel('Password').fill('short')
        await create.click()
        await page.locator('[name=password]:focus:invalid').waitFor()
        await page.getByLabel('Password').fill('a long enough password')
        await create.click()
        await dialog(page).getByRole('alert').getByText('User already exists').waitFor()
        expect(await page.getByLabel('User name').inputValue()).toBe('admin')
        await page.context().clearCookies()
        await create.click()
        await dialog(page).getByRole('alert').getByText('Your session has ended.').waitFor()
        await page.keyboard.press('Escape')
        expect(await dialog(page).count()).toBe(0)
      },
      { allow: REFUSED_CALLS },
    )
  })

  it('a key is shown once, when it is created', async () => {
    await visitPage(
      '/console/keys',
      async (page) => {
        await page.getByRole('button', { name: 'Create a key …' }).click()
        await page.getByLabel('Name').fill('warehouse')
        await page.getByLabel(/^Sources/).fill('stripe github')
        await dialog(page).getByRole('button', { name: 'Create', exact: true }).click()
        await page.getByText('Copy it now').waitFor()
        const key = await dialog(page).locator('pre').innerText()
        await dialog(page).getByRole('button', { name: 'a call with it' }).click()
        const call = await page.evaluate('navigator.clipboard.readText()')
        expect(execFileSync('sh', ['-c', `${call} -s`], { encoding: 'utf8' })).toMatch(/^{"events":\[/)
        const statusOf = async (source: string) =>
          (await fetch(`${inject('http')}/api/webhooks/events?source=${source}`, { headers: { 'x-api-key': key } }))
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
      },
      CLIPBOARD,
    )
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
    const refused = await fetch(`${inject('http')}/webhooks/stripe`, {
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

  it('the events of a replay are counted before it starts', async () => {
    await visitPage('/console/replays', async (page) => {
      await page.getByRole('button', { name: 'Retry failed events …' }).click()
      await page.getByLabel(/^Source/).fill('payment')
      await page.getByLabel('Events a second').fill('7')
      await dialog(page).getByRole('button', { name: 'Count' }).click()
      const start = dialog(page).getByRole('button', { name: /^Start with \d+/ })
      await start.waitFor()
      expect(await page.getByLabel('Events a second').inputValue()).toBe('7')
      await start.click()
      await page.getByText('Retry of failed events: payment').first().waitFor()
    })
  })

  it('the history of a user says who changed what, and shrinks with each filter', async () => {
    const username = await newUser()
    await visitPage('/console/users', async (page) => {
      await page.getByRole('link', { name: username }).click()
      const change = async (asked: string, answer: string, answered: string) => {
        await page.getByRole('button', { name: asked }).click()
        await dialog(page).getByRole('button', { name: answer, exact: true }).click()
        await page.getByRole('button', { name: answered }).waitFor()
      }
      await change('Disable …', 'Disable', 'Enable …')
      await change('Enable …', 'Enable', 'Disable …')
      await page.getByRole('link', { name: 'History' }).click()
      const deeds = page.locator('tbody a')
      const history = [`Enabled ${username}`, `Disabled ${username}`, `Created user ${username}`]
      await expect.poll(() => deeds.allInnerTexts()).toEqual(history)
      await page.getByRole('combobox', { name: 'Action' }).selectOption('Created user')
      await expect.poll(() => deeds.allInnerTexts()).toEqual([history[2]])
      await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Failed')
      await page.getByText('No action matches').waitFor()
      await page.goBack()
      await page.goto('/console/audit?actor=nobody-else')
      await page.getByText('No action matches').waitFor()
      await page.getByRole('button', { name: 'Remove By nobody-else' }).click()
      await deeds.first().click()
      await page.locator('.pane').getByRole('link', { name: 'admin' }).click()
      await page.getByRole('button', { name: /^Remove By / }).waitFor()
    })
  })

  it.each([
    ['payments', 'Transaction, order or customer', 'transactionId'],
    ['payments', 'Transaction, order or customer', 'orderId'],
    ['payments?view=orders', 'Order', 'orderId'],
  ] as const)('%s are searched as one types, by a part of a word in any case: %s, %s', async (name, label, field) => {
    const sent = payment()
    const isOrder = name !== 'payments'
    const ship = ({ eventId, orderId }: typeof sent) => {
      const text = JSON.stringify({ eventId, orderId, status: 'SHIPPED', timestamp: '2026-01-02T03:04:05' })
      return call('/webhooks/order-status', postJson(text, genericSignature(text, undefined, 'order-status')))
    }
    for (const one of [sent, payment()]) await (isOrder ? ship(one) : postPayment(one))
    await visitPage(`/console/${name}`, async (page) => {
      const shown = () => page.locator('tbody a').allInnerTexts()
      await expect.poll(async () => (await shown()).length).toBeGreaterThan(1)
      const search = page.getByRole('searchbox', { name: label })
      const before = page.url()
      await search.pressSequentially(String(sent[field]).slice(3, -3).toUpperCase())
      const key = isOrder ? 'orderId' : 'transactionId'
      await expect.poll(shown).toEqual([sent[key]])
      await page.goBack()
      await expect.poll(() => search.inputValue()).toBe('')
      expect(page.url()).toBe(before)
      await search.fill('nothing is like this')
      await page.getByText(/^No (payment|order) matches/).waitFor()
    })
  })

  it('refused calls and the audit trail are searched as one types', async () => {
    const username = await newUser()
    await visitPage('/console/audit', async (page) => {
      await page.getByRole('searchbox', { name: 'Name or id' }).pressSequentially(username.slice(2).toUpperCase())
      await expect.poll(() => page.locator('tbody a').allInnerTexts()).toEqual([`Created user ${username}`])
      await page.goto('/console/refused')
      await page.getByRole('searchbox').pressSequentially('no such source')
      await page.getByText('No webhook was refused').waitFor()
    })
  })

  it('readings of payloads are listed on request', async () => {
    const sent = payment()
    await postPayment(sent)
    await eventDetail('payment', String(sent['eventId']))
    await visitPage(`/console/audit?target=${sent['eventId']}`, async (page) => {
      await page.getByText('No action matches').waitFor()
      await page.getByLabel('Readings of payloads').check()
      await page.getByRole('link', { name: `Read payload ${sent['eventId']}` }).waitFor()
      await expectSound(page)
    })
  })

  it('the audit trail says when not all rows were looked at', async () => {
    await visitPage('/console/users', async (page) => {
      const answer = { entries: [], nextCursor: 'c', complete: false }
      await page.route('**/api/audit?*', (route) => route.fulfill({ json: answer }))
      await page.goto('/console/audit')
      await page.getByText('Not all rows were looked at').waitFor()
      await page.getByRole('button', { name: 'Show more' }).waitFor()
    })
  })

  it('what is typed into a filter stays when rows come', async () => {
    await visitPage('/console/audit', async (page) => {
      await page.locator('tbody a').first().waitFor()
      const { promise: isTyped, resolve } = Promise.withResolvers<void>()
      await page.route('**/api/audit?*', (route) => isTyped.then(() => route.continue()))
      await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Done')
      await page.getByRole('searchbox', { name: 'Name or id' }).pressSequentially('a b ')
      resolve()
      await page.locator('tbody a').first().waitFor()
      expect(await page.getByRole('searchbox', { name: 'Name or id' }).inputValue()).toBe('a b ')
    })
  })

  it('a user ends another session of the same account', async () => {
    const as = await newUser()
    await visit({}, (other) => logIn(other, as))
    await visitPage(
      '/console/account',
      async (page) => {
        const ends = page.getByRole('button', { name: /^End the session/ })
        await expect.poll(() => ends.count()).toBe(1)
        await ends.first().click()
        await expect.poll(() => ends.count()).toBe(0)
      },
      { as },
    )
  })

  it('a list counts none, one and fifty-one rows', async () => {
    const key = (id: number) => ({
      ...{ id: `k${id}`, name: `key ${id}`, createdBy: 'admin', sources: null, lastUsedAt: null },
      ...{ createdAt: '2026-01-02T03:04:05.000', expiresAt: '2036-01-02T03:04:05.000' },
    })
    const answerOf = (from: number, to: number) => ({
      keys: Array.from({ length: to - from }, (_, index) => key(from + index)),
      nextCursor: from === 0 && to === 50 ? 'c' : null,
    })
    let total = 0
    await visitPage('/', async (page) => {
      await page.route('**/api/keys?', (route) => route.fulfill({ json: answerOf(0, Math.min(50, total)) }))
      await page.route('**/api/keys?cursor=c', (route) => route.fulfill({ json: answerOf(50, total) }))
      const shown = async () => [
        (await page.getByRole('main').locator('header, .bar').first().innerText()).match(/\d+( or more)?/)?.[0],
        await page.locator('tbody a').count(),
      ]
      await page.goto('/console/keys')
      await page.getByText('Nothing here').waitFor()
      expect(await shown()).toEqual(['0', 0])
      total = 1
      await page.reload()
      await expect.poll(shown).toEqual(['1', 1])
      total = 51
      await page.reload()
      await expect.poll(shown).toEqual(['50 or more', 50])
      await page.getByRole('button', { name: 'Show more' }).click()
      await expect.poll(shown).toEqual(['51', 51])
      expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    })
  })

  it.each([
    ...['webhooks', 'refused', 'destinations', 'deliveries?destination=crm', 'replays', 'payments', 'users', 'keys'],
    ...['audit', 'account'],
  ])('%s says that the service is not available, and not that there is nothing', async (name) => {
    const json = { timestamp: '', status: 503, error: 'Service Unavailable', message: 'Try again later', path: '' }
    await visitPage(
      '/',
      async (page) => {
        await page.route('**/api/**', (route) => route.fulfill({ status: 503, json }))
        await page.goto(`/console/${name}`)
        await page
          .getByRole('main')
          .getByText(/Try again later/)
          .first()
          .waitFor()
        expect(await page.getByText(/^(?:Nothing here|No event)/).count()).toBe(0)
        await page.unroute('**/api/**')
      },
      { allow: /^5\d\d: |console: Failed to load resource: .* 503 |^elsewhere: / },
    )
  })
})
