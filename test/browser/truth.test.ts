import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { bearer, call } from '../support/client.ts'
import { payment, postJson, postPayment } from '../support/events.ts'
import { failing, INBOX, mend, processed, rowOf, visitInbox } from '../support/inbox.ts'
import { leaveEvents } from '../support/local-tables.ts'
import { describeInBrowser, newUser, visit } from '../support/visit.ts'

/** What pages say is compared with what happened, once when it succeeds and once when it fails. */
describeInBrowser('the console tells the truth', () => {
  const totals = async (page: Page) =>
    Object.fromEntries(
      (await page.locator('.chips .chip').allInnerTexts()).map((text) => text.trim().split(/\s+/)),
    ) as Readonly<Record<string, string>>

  it('the totals of events follow the search, and what is retried by itself is no failure', async () => {
    const tag = crypto.randomUUID()
    const stored = payment()
    await postPayment(stored)
    await processed(`processed-${tag}`)
    await failing(stored, `retried-${tag}`)
    await leaveEvents(2, tag)
    await leaveEvents(1, `held-${tag}`, { status: 'RECEIVED', dead: false, held: true })
    await visitInbox(`${INBOX}?q=${tag.toUpperCase()}`, async (page) => {
      await rowOf(page, `retried-${tag}`).getByText('Retrying').waitFor()
      await expect.poll(() => totals(page)).toEqual({ Processed: '1', Processing: '1', Retrying: '1', Failed: '2' })
      await page.getByText('5 in the last 24 hours').waitFor()
      for (const [name, total] of Object.entries({ Retrying: 1, Failed: 2, Processed: 1 })) {
        await page.getByRole('button', { name: new RegExp(`^${name} `) }).click()
        await page.getByText(`${total} in the last 24 hours`).waitFor()
        await page.getByText(`1–${total} of ${total}`).waitFor()
        expect(await page.locator('.rows tbody tr').getByText(name, { exact: true }).count()).toBe(total)
      }
      await page.goto(`${INBOX}?q=${tag}&attention=true`)
      await page.getByText('3 in the last 24 hours').waitFor()
      await expect.poll(() => totals(page)).toEqual({ Processed: '0', Processing: '1', Retrying: '0', Failed: '2' })
      await page.getByText('1–3 of 3').waitFor()
      await page.goto(`${INBOX}?q=nothing-${tag}`)
      await page.getByText('0 in the last 24 hours', { exact: true }).waitFor()
    })
  })

  it('a row that is opened before a typed search is sent stays open', async () => {
    const sent = payment()
    await postPayment(sent)
    const orderId = String(sent['orderId'])
    await visit({ as: 'admin' }, async (page) => {
      await page.clock.install()
      await page.goto('/console/payments')
      const details = page.getByRole('region', { name: 'Details' })
      const row = page.getByRole('row').filter({ hasText: orderId }).getByRole('link')
      await row.waitFor()
      await page.clock.pauseAt(Date.now() + 60_000)
      await page.getByRole('searchbox').fill(orderId.slice(0, -2))
      await row.first().click()
      await details.getByText('Completed').waitFor()
      await page.clock.runFor(1000)
      await page.waitForURL(/[?&]q=.*&open=/)
      await details.getByText('Completed').waitFor()
    })
  })

  it('the audit trail says Done of what was done, and of nothing else', async () => {
    const username = await newUser()
    const { authorization = '' } = bearer(await tokenOf('admin')).headers ?? {}
    const create = (name: string) =>
      call('/api/users', postJson({ username: name, password: `${name}-demo`, role: 'ROLE_USER' }, { authorization }))
    expect((await create(username)).status).toBe(409)
    await visit({ at: `/console/audit?q=${username}`, as: 'admin' }, async (page) => {
      const rows = () => page.locator('tbody tr').allInnerTexts()
      const outcomes = async () => (await rows()).map((text) => /Done|Refused|Failed/.exec(text)?.[0])
      await expect.poll(outcomes).toEqual(['Refused', 'Done'])
      await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Done')
      await expect.poll(outcomes).toEqual(['Done'])
    })
  })

  it('refused calls are counted one by one', async () => {
    const source = `none-${crypto.randomUUID().slice(0, 8)}`
    for (let sent = 0; sent < 3; sent++)
      await fetch(`${inject('http')}/webhooks/github`, {
        method: 'POST',
        body: source,
        headers: { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
      })
    await visit({ at: '/console/refused?q=github', as: 'admin' }, async (page) => {
      const calls = async () => Number(await page.locator('tbody tr td:nth-child(4)').first().innerText())
      await expect.poll(calls).toBeGreaterThanOrEqual(3)
      const before = await calls()
      await fetch(`${inject('http')}/webhooks/github`, {
        method: 'POST',
        body: source,
        headers: { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` },
      })
      await page.reload()
      await expect.poll(calls).toBe(before + 1)
    })
  })

  it('an event has the time of its receipt, and an attempt took what is between its beginning and its end', async () => {
    const stored = payment()
    const eventId = `took-${crypto.randomUUID()}`
    await postPayment(stored)
    const before = Date.now()
    await failing(stored, eventId)
    const after = Date.now()
    await visit({ as: 'admin' }, async (page) => {
      await page.route(`**/api/webhooks/events/payment/${eventId}`, async (route) => {
        const detail = await (await route.fetch()).json()
        const begun = { at: '2026-01-02T03:04:05.000', status: 'RETRY', by: 'retry', error: null }
        const ended = { ...begun, at: '2026-01-02T03:04:05.700', status: 'FAILED', error: 'no' }
        await route.fulfill({ json: { ...detail, history: [...detail.history, begun, ended] } })
      })
      await page.goto(`${INBOX}?q=${eventId}&event=payment%2F${eventId}&tab=attempts`)
      const attempts = page.locator('.pane .steps li')
      await attempts.getByText('Took 0.7 s.').waitFor()
      expect(await attempts.filter({ hasText: 'Attempt 1' }).innerText()).not.toContain('Took')
      const received = await rowOf(page, eventId).locator('time').getAttribute('datetime')
      expect(Date.parse(received ?? '')).toBeGreaterThanOrEqual(before)
      expect(Date.parse(received ?? '')).toBeLessThanOrEqual(after)
    })
  })

  it.each([-1, 1])(
    'an event that has just come is shown and counted where the clock is off by %i hour',
    async (hours) => {
      const eventId = await processed(`clock-${crypto.randomUUID()}`)
      await visit({ as: 'admin' }, async (page) => {
        await page.clock.install({ time: Date.now() + hours * 3_600_000 })
        await page.goto(`${INBOX}?q=${eventId}`)
        await rowOf(page, eventId).getByText('Processed').waitFor()
        await expect.poll(() => totals(page)).toMatchObject({ Processed: '1', Failed: '0' })
        await page.getByText('1 in the last 24 hours').waitFor()
      })
    },
  )

  it.each([
    ['Done', 'all is mended', 0],
    ['Done, 1 failed', 'one contradicts its payment still', 1],
  ])('a replay is %s where %s', async (state, _, failed) => {
    const [mended, wrong] = [payment(), payment()]
    const tag = crypto.randomUUID()
    for (const stored of [mended, wrong]) await postPayment(stored)
    for (const name of ['a', 'b']) await failing(mended, `${name}-${tag}`)
    if (failed > 0) await failing(wrong, `c-${tag}`)
    await mend(mended)
    const replayId = `of-${tag}`
    const { authorization = '' } = bearer(await tokenOf('admin')).headers ?? {}
    const order = postJson({ replayId, filter: { q: tag }, ratePerSecond: 100 }, { authorization })
    expect((await call('/api/webhooks/replays', order)).status).toBe(202)
    await visit({ at: `/console/replays?open=${replayId}`, as: 'admin' }, async (page) => {
      const row = page.getByRole('row').filter({ hasText: tag })
      await row.getByText(/^Done/).waitFor()
      const total = 2 + failed
      const cells = [state, `Retry of failed events: ${tag}`, `${total} of ${total}`, String(failed), 'admin']
      expect((await row.getByRole('cell').allInnerTexts()).slice(0, 5)).toEqual(cells)
      await page.getByText(`${total} of ${total}: 2 processed, ${failed} failed again`).waitFor()
      expect(
        await page.getByRole('progressbar').evaluate((bar) => (bar as unknown as { position: number }).position),
      ).toBe(1)
    })
  })

  it('a replay is not Done while events that it ordered wait for their delivery', async () => {
    const order = { destination: 'crm', filter: {}, reason: null, ratePerSecond: 10, user: 'admin' }
    const counts = { state: 'DONE', matched: 4, done: 1, failed: 1, acceptedAt: '2026-01-02T03:04:05.000' }
    await visit({ as: 'admin' }, async (page) => {
      const replays = [{ replayId: 'r', ...order, ...counts }]
      await page.route('**/api/webhooks/replays?*', (route) => route.fulfill({ json: { replays, nextCursor: null } }))
      await page.goto('/console/replays?open=r')
      await page.getByText('2 of 4: 1 delivered, 1 dead').waitFor()
      expect((await page.getByRole('row').last().getByRole('cell').allInnerTexts())[0]).toBe('All ordered')
      expect(
        await page.getByRole('progressbar').evaluate((bar) => (bar as unknown as { position: number }).position),
      ).toBe(0.5)
    })
  })

  it('a destination to which all arrived has failed with nothing, and one that failed with its answer', async () => {
    const one = { to: 'http', target: 'crm.example', state: 'CLOSED', since: null, by: null, reason: null, waiting: 0 }
    const rest = { oldestAt: null, lastDeliveredAt: null, day: null, publicKeys: null }
    const lastAnswer = { at: '2026-01-02T03:04:05.000', status: 503, text: 'HTTP 503' }
    await visit({ as: 'admin' }, async (page) => {
      const destinations = [
        { ...one, ...rest, name: 'healthy', failures: 0, lastAnswer: null },
        { ...one, ...rest, name: 'failing', failures: 2, lastAnswer },
      ]
      await page.route('**/api/destinations', (route) => route.fulfill({ json: { destinations } }))
      await page.route('**/api/destinations?*', (route) => route.fulfill({ json: { destinations } }))
      await page.goto('/console/destinations')
      const cells = (name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('cell').allInnerTexts()
      await page.getByRole('row').filter({ hasText: 'failing' }).waitFor()
      expect([(await cells('failing'))[2], (await cells('healthy'))[2]]).toEqual(['HTTP 503', ''])
    })
  })
})
