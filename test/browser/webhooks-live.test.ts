import type { Page, WebSocketRoute } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { payment, postPayment } from '../support/events.ts'
import {
  failing,
  INBOX,
  LIST,
  mend,
  movedUntil,
  processed,
  processedInTurn,
  rowOf,
  visitInbox,
  withMovedClock,
} from '../support/inbox.ts'
import { leaveEvents } from '../support/local-tables.ts'
import { describeInBrowser, REFUSED_CALLS } from '../support/visit.ts'

const TICKET = '**/api/live-ticket'

describeInBrowser('live updates of the inbox of webhooks', () => {
  const live = (page: Page) => page.getByRole('status').getByText('Live', { exact: false }).waitFor()

  it('start without a password prompt after a login with the form', async () => {
    const tag = crypto.randomUUID()
    await visitInbox(`${INBOX}?q=${tag}`, async (page) => {
      await live(page)
      expect(await page.getByLabel('Password').count()).toBe(0)
      await processed(`form-${tag}`)
      await rowOf(page, `form-${tag}`).getByText('Processed').waitFor()
      expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toMatch(/eyJ|icket/)
      await page.reload()
      await live(page)
    })
  })

  it('continue at the same position with another ticket after the connection breaks', async () => {
    const tag = crypto.randomUUID()
    await visitInbox(`${INBOX}?q=${tag}`, async (page) => {
      const sent: string[] = []
      const sockets: WebSocketRoute[] = []
      await page.routeWebSocket(inject('ready').ws, (socket) => {
        const server = socket.connectToServer()
        socket.onMessage((message) => {
          sent.push(String(message))
          server.send(message)
        })
        sockets.push(socket)
      })
      await page.reload()
      await live(page)
      await processed(`one-${tag}`)
      await rowOf(page, `one-${tag}`).getByText('Processed').waitFor()
      await sockets[0]?.close()
      await expect.poll(() => sockets.length).toBe(2)
      await live(page)
      await processed(`two-${tag}`)
      await rowOf(page, `two-${tag}`).getByText('Processed').waitFor()
      const subscriptions = () => sent.filter((frame) => frame.startsWith('SUBSCRIBE'))
      const areResumed = () => subscriptions().map((frame) => /^resume-after:\S/m.test(frame))
      await expect.poll(areResumed).toEqual([false, true])
      const tickets = sent.flatMap((frame) => /^Authorization:Ticket (\S+)/m.exec(frame)?.[1] ?? [])
      expect(new Set(tickets).size).toBe(2)
    })
  })

  it('are replaced by a request every three seconds while there is no ticket, which the page states', async () => {
    const tag = crypto.randomUUID()
    await visitInbox(
      INBOX,
      async (page) => {
        await page.route(TICKET, (route) => route.abort())
        await page.goto(`${INBOX}?q=${tag}`)
        await page.getByRole('status').getByText('Every 3 s').waitFor()
        await processed(`polled-${tag}`)
        await rowOf(page, `polled-${tag}`).waitFor()
      },
      { allow: /ERR_FAILED|WebSocket/ },
    )
  })

  it.each([
    ['an event is open', (page: Page) => page.locator('.rows tbody tr').nth(2).click()],
    ['the list has the focus', (page: Page) => page.keyboard.press('j')],
    [
      'the list is scrolled',
      (page: Page) => page.locator('.rows').evaluate((rows) => ((rows as { scrollTop: number }).scrollTop = 100)),
    ],
    ['the pointer is on it', (page: Page) => page.locator('.rows tbody tr').nth(2).hover()],
  ])('leave the rows in place while %s: new events wait behind a button', async (_, hold) => {
    const tag = crypto.randomUUID()
    await leaveEvents(30, tag)
    await visitInbox(`${INBOX}?q=${tag}`, async (page) => {
      const third = rowOf(page, `27-${tag}`)
      await third.waitFor()
      await hold(page)
      const before = await third.boundingBox()
      await processedInTurn(Array.from({ length: 5 }, (_unused, index) => `new-${index}-${tag}`))
      const pill = page.getByRole('button', { name: '5 new events' })
      await pill.waitFor()
      expect(await third.boundingBox()).toEqual(before)
      expect(await rowOf(page, `new-4-${tag}`).count()).toBe(0)
      await pill.click()
      await rowOf(page, `new-4-${tag}`).waitFor()
      expect(await page.locator('.rows tbody tr').first().innerText()).toContain(`new-4-${tag}`)
      await pill.waitFor({ state: 'detached' })
    })
  })

  it.each([
    ['with a flash', 'no-preference', 'fresh'],
    ['without one for users who prefer reduced motion', 'reduce', 'none'],
  ] as const)('add events at the top while the list is not in use, %s', async (_, reducedMotion, animation) => {
    const tag = crypto.randomUUID()
    await processed(`old-${tag}`)
    await visitInbox(
      `${INBOX}?q=${tag}`,
      async (page) => {
        await rowOf(page, `old-${tag}`).waitFor()
        await processed(`new-${tag}`)
        const row = rowOf(page, `new-${tag}`)
        await row.waitFor()
        const shown = await page.evaluate(`getComputedStyle(document.querySelector('.rows tbody tr')).animationName`)
        expect(shown).toBe(animation)
        expect(await page.locator('.pill').count()).toBe(0)
      },
      { reducedMotion },
    )
  })

  it('change a known event in place while the list is paused', async () => {
    const stored = payment()
    const eventId = `held-${crypto.randomUUID()}`
    await postPayment(stored)
    await failing(stored, eventId)
    await visitInbox(`${INBOX}?q=${eventId}`, async (page) => {
      await rowOf(page, eventId).click()
      await mend(stored)
      await page
        .locator('.pane')
        .getByRole('button', { name: /^Retry/ })
        .click()
      await rowOf(page, eventId).getByText('Processed').waitFor()
    })
  })

  it('state since when the list is out of date while the service is down, and continue after that', async () => {
    await processed(`live-${crypto.randomUUID()}`)
    await visitInbox(
      INBOX,
      async (page) => {
        await withMovedClock(page)
        await page.locator('.rows tbody tr a').first().waitFor()
        await page.route(LIST, (route) => route.abort())
        await page.route(TICKET, (route) => route.abort())
        const badge = page.getByRole('status').getByText(/^Not updated since \d\d:\d\d:\d\d/)
        await movedUntil(page, () => badge.isVisible())
        expect(await badge.innerText()).toContain('The service does not answer.')
        expect(await page.locator('.rows tbody tr a').count()).toBeGreaterThan(0)
        await page.unroute(LIST)
        await movedUntil(page, () => badge.isHidden())
      },
      { allow: /ERR_FAILED/ },
    )
  })

  it('stop at the end of the session, which the page states without losing its content', async () => {
    await processed(`live-${crypto.randomUUID()}`)
    await visitInbox(
      INBOX,
      async (page) => {
        await withMovedClock(page)
        await page.locator('.rows tbody tr a').first().waitFor()
        await page.context().clearCookies()
        const badge = page.getByRole('status').getByText('Session ended')
        await movedUntil(page, () => badge.isVisible())
        const login = page.getByRole('link', { name: 'Log in again' }).first()
        expect(await login.getAttribute('href')).toContain('returnTo=%2Fconsole%2Fwebhooks')
        expect(await page.locator('.rows tbody tr a').count()).toBeGreaterThan(0)
      },
      { allow: REFUSED_CALLS },
    )
  })
})
