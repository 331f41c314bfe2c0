import type { Browser, BrowserContextOptions, Page, WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOCAL_PATHS } from '../../lib/contract/console.ts'
import { SENDERS } from '../../localstack/senders/table.ts'
import { violationsOf } from '../support/axe.ts'
import { chromiumPath, launch } from '../support/chromium.ts'
import { command } from '../support/command.ts'
import { complaintsOf } from '../support/complaints.ts'
import { payment, postPayment } from '../support/events.ts'
import { forgetRow } from '../support/local-tables.ts'
import { serve } from '../support/served.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../support/stack.ts'

const path = chromiumPath()
const ADDRESS = '/console/webhooks'

const LIST = '**/api/webhooks/events?*'

/** How long the page may take to hear of a change without a channel: it asks every three seconds. */
const HEARD = { timeout: 10_000 }

type Payment = ReturnType<typeof payment>

/** A payment that contradicts a stored one, and fails for as long as that is there. */
async function failing(stored: Payment, eventId: string): Promise<void> {
  await postPayment({ ...stored, eventId, orderId: 'another-order', status: 'REFUNDED' })
}

/** Takes away what made events fail. */
function mend({ transactionId }: Payment): Promise<void> {
  return forgetRow('payments', { transactionId: String(transactionId) })
}

describe.skipIf(path === undefined)('the page of the webhooks in a real browser', () => {
  // Private keys, which some providers sign with, are kept in a folder alone.
  const data = temporaryFolder()
  let stack: Stack
  let browser: Browser
  let base: string
  let run: { readonly PORT_OFFSET: string; readonly DATA_DIR: string }

  beforeAll(async () => {
    run = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: data.path }
    stack = await startStack({
      ...run,
      WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '1000000',
    })
    base = stack.ready.http
    serve({ http: base, ready: stack.ready, jwtSecret: '' })
    browser = await launch(path ?? '')
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
    data.remove()
  })

  /** Visits the page as an admin, in a browser of its own; what that complained of. */
  async function complaintsIn(
    address: string,
    run: (page: Page) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<readonly string[]> {
    const context = await browser.newContext({ baseURL: base, ...options })
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
    return complaints
  }

  async function visit(...parameters: Parameters<typeof complaintsIn>): Promise<void> {
    expect(await complaintsIn(...parameters)).toEqual([])
  }

  const rowOf = (page: Page, eventId: string) =>
    page.locator('.event', { has: page.getByRole('link', { name: eventId, exact: true }) })

  it('says how to send a webhook while there is none', async () => {
    await visit(ADDRESS, async (page) => {
      await page.getByText('No webhook has arrived yet.').waitFor()
      await page.getByText('npm run send -- stripe payment_intent.succeeded').waitFor()
    })
  })

  it.each(['light', 'dark'] as const)(
    'axe finds nothing wrong with it in %s colours, empty and full',
    async (colorScheme) => {
      const stored = payment()
      const eventId = `${colorScheme}-failing`
      await visit(
        `${ADDRESS}?q=${colorScheme}`,
        async (page) => {
          expect(await violationsOf(page), 'empty').toEqual([])
          await postPayment({ ...stored, eventId: `${colorScheme}-1` })
          await failing(stored, eventId)
          await rowOf(page, eventId).getByText('Failed').waitFor(HEARD)
          await page.getByText('As a table').click()
          await page.getByText('Go live').click()
          await page.getByText('Send a test event').click()
          await page.getByRole('button', { name: 'Send', exact: true }).click()
          await page.locator('.delivery').getByText('Request and answer').click()
          await page.getByRole('button', { name: /^Retry all failed/ }).click()
          await page.getByText('1 failed event matches').waitFor()
          expect(await violationsOf(page), 'full').toEqual([])
          await page.getByRole('link', { name: eventId }).click()
          await page.getByRole('heading', { name: 'Payload' }).waitFor()
          expect(await violationsOf(page), 'with an event open').toEqual([])
        },
        { colorScheme },
      )
    },
  )

  it('a webhook appears without a reload, fails, is retried from its row and turns green', async () => {
    const stored = payment()
    const eventId = `row-${stored['eventId']}`
    await visit(ADDRESS, async (page) => {
      await postPayment(stored)
      await rowOf(page, String(stored['eventId'])).getByText('Processed').waitFor(HEARD)
      await failing(stored, eventId)
      const row = rowOf(page, eventId)
      await row.getByText('Failed').waitFor(HEARD)
      expect(await row.innerText()).toMatch(/another order.*|next try in \d minutes/)
      await mend(stored)
      await row.getByRole('button', { name: `Retry ${eventId}` }).click()
      await row.locator('.badge[data-tone=good]').waitFor(HEARD)
      expect(await row.innerText()).toContain('Processed')
    })
  })

  it.each(['light', 'dark'] as const)(
    'a webhook that the page sends itself appears, fails, is retried and turns green, in %s colours by keys alone',
    async (colorScheme) => {
      const complaints = await complaintsIn(
        ADDRESS,
        async (page) => {
          const { keyboard } = page
          await page.getByText('Send a test event').focus()
          await keyboard.press('Enter')
          await page.getByLabel('Provider').waitFor()
          await keyboard.press('Tab')
          await keyboard.type('payment')
          await keyboard.press('Tab')
          await keyboard.type('refunded')
          await keyboard.press('Tab')
          await keyboard.press('Space')
          await keyboard.press('Tab')
          await keyboard.press('Enter')
          const [first, second] = [page.locator('.delivery').first(), page.locator('.delivery').nth(1)]
          await first.getByText(/^Webhook processed successfully · \d+ ms$/).waitFor()
          await second.getByText(/^Processing failed: .* · \d+ ms$/).waitFor()
          expect(await page.locator('.delivery > .badge').allInnerTexts()).toEqual(['200', '500'])
          expect(await violationsOf(page)).toEqual([])

          await page.locator('button:focus', { hasText: 'Send' }).waitFor()
          const eventId = await second.getByRole('link').innerText()
          const row = rowOf(page, eventId)
          await row.getByText('Failed').waitFor(HEARD)
          await second.getByText('Request and answer').click()
          const request = await second.locator('pre').first().innerText()
          await mend(JSON.parse(request.slice(request.indexOf('{'))))
          await row.getByRole('button', { name: `Retry ${eventId}` }).focus()
          await keyboard.press('r')
          await row.locator('.badge[data-tone=good]').waitFor(HEARD)

          await second.getByRole('link').focus()
          await keyboard.press('Enter')
          await page.getByRole('region', { name: eventId }).getByText('by operator admin').waitFor(HEARD)
        },
        { colorScheme },
      )
      // A browser logs an answer like this one in any case.
      expect([...complaints].sort()).toEqual([
        `500: ${base}/webhooks/payment`,
        expect.stringMatching(/^console: Failed to load resource: .* 500 /),
      ])
    },
  )

  it('a webhook of any provider is sent from the page, and arrives', async () => {
    await visit(ADDRESS, async (page) => {
      await page.getByText('Send a test event').click()
      const provider = page.getByLabel('Provider')
      await provider.waitFor()
      const names = await provider.locator('option').allInnerTexts()
      expect(names).toEqual(Object.keys(SENDERS).sort())
      const eventIds = new Map<string, string>()
      for (const name of names) {
        await provider.selectOption(name)
        await page.getByRole('button', { name: 'Send', exact: true }).click()
        const delivery = page.locator(`.delivery[data-source="${name}"]`)
        expect(await delivery.locator('.badge').innerText(), name).toBe('200')
        for (const eventId of await delivery.getByRole('link').allInnerTexts()) eventIds.set(name, eventId)
      }
      expect(names.filter((name) => !eventIds.has(name))).toEqual(['dropbox'])
      for (const [name, eventId] of eventIds) await rowOf(page, eventId).getByText(`${name} · `).waitFor(HEARD)
      await page.locator('.event').getByText('dropbox · ').waitFor(HEARD)
    })
  })

  it('says why nothing was sent, and sends when it can', async () => {
    const complaints = await complaintsIn(ADDRESS, async (page) => {
      await page.getByText('Send a test event').click()
      await page.getByLabel('Provider').waitFor()
      await page.route(`**${LOCAL_PATHS.testEvents}`, (route) => route.abort())
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByRole('alert').getByText('The service does not answer.').waitFor()
      await page.unroute(`**${LOCAL_PATHS.testEvents}`)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await page.locator('.delivery').waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    })
    expect(complaints.filter((complaint) => !complaint.includes('ERR_FAILED'))).toEqual([])
  })

  it('shows an event in full, and follows it until it has come to rest', async () => {
    const stored = payment()
    const eventId = `open-${stored['eventId']}`
    await postPayment(stored)
    await failing(stored, eventId)
    await visit(`${ADDRESS}?q=${eventId}`, async (page) => {
      await page.getByRole('link', { name: eventId }).click()
      const panel = page.getByRole('region', { name: eventId })
      await panel.getByText('by intake').waitFor()
      await panel.getByText('Next try').first().waitFor()
      expect(await panel.locator('pre').innerText()).toContain(`\n  "eventId": "${eventId}",\n`)
      await panel.getByRole('button', { name: 'Raw' }).click()
      expect(await panel.locator('pre').innerText()).toContain(`{"eventId":"${eventId}",`)
      await panel.getByText('content-type').waitFor()
      await mend(stored)
      await panel.getByRole('button', { name: 'Retry' }).click()
      await panel.getByText('by operator admin').waitFor(HEARD)
      await panel.getByText('by retry').last().waitFor(HEARD)
      await panel.locator('.inline .badge[data-tone=good]').waitFor(HEARD)
    })
  })

  it('shows how an event is proven, leads to the one that it looks like, and lists a batch', async () => {
    const send = async (...args: readonly string[]) => {
      expect(await command('send', args, run)).toMatchObject({ code: 0 })
    }
    // One body under two ids, which nobody signs.
    await send('bitbucket', 'repo:push', '--set', 'push.changes.0=twin')
    await send('bitbucket', 'repo:push', '--set', 'push.changes.0=twin')
    await send('line', 'message', '--set', 'events.1.webhookEventId=second', '--set', 'events.1.type=follow')
    await visit(`${ADDRESS}?source=bitbucket`, async (page) => {
      const panel = page.locator('.panel')
      await page
        .locator('.event', { has: page.getByText('possible duplicate') })
        .getByRole('link')
        .click()
      await panel.getByText('The body is signed').waitFor()
      expect(await violationsOf(page)).toEqual([])
      const twin = panel.locator('dd').getByRole('link')
      const eventId = await twin.innerText()
      await twin.click()
      await page.getByRole('region', { name: eventId }).getByText('bitbucket#1').waitFor()
      await page.getByLabel('Source').fill('line')
      await page.getByLabel('Source').blur()
      await page.locator('.event', { hasText: 'UNKNOWN' }).getByRole('link').click()
      await panel.getByText('Events in it: 2').waitFor()
      await panel.getByText('second · follow').waitFor()
      expect(await violationsOf(page)).toEqual([])
    })
  })

  it('keeps filter and open event in the address, over a reload', async () => {
    const stored = payment()
    const eventId = `kept-${stored['eventId']}`
    await postPayment(stored)
    await failing(stored, eventId)
    await visit(ADDRESS, async (page) => {
      await page.getByLabel('Search').fill('kept-')
      await page.getByLabel('Status').selectOption('Failed')
      await page.getByLabel('Source').fill('payment')
      await page.getByLabel('To (UTC)').fill('2100-01-02T03:04')
      await page.getByLabel('To (UTC)').blur()
      await page.getByText('1 shown').waitFor()
      await page.getByRole('link', { name: eventId }).click()
      await page.getByRole('region', { name: eventId }).waitFor()
      const { search } = new URL(page.url())
      expect([...new URLSearchParams(search)]).toEqual([
        ['q', 'kept-'],
        ['status', 'FAILED'],
        ['source', 'payment'],
        ['to', '2100-01-02T03:04'],
        ['event', `payment/${eventId}`],
      ])
      await page.reload({ waitUntil: 'networkidle' })
      expect(new URL(page.url()).search).toBe(search)
      expect(await page.getByLabel('Status').inputValue()).toBe('FAILED')
      expect(await page.getByLabel('To (UTC)').inputValue()).toBe('2100-01-02T03:04')
      await page.getByText('1 shown').waitFor()
      await page.getByRole('region', { name: eventId }).getByText('by intake').waitFor()
      await page.getByLabel('Source').fill('stripe')
      await page.getByLabel('Source').blur()
      await page.getByText('No event is like that.').waitFor()
      await page.getByRole('button', { name: 'Clear' }).click()
      await rowOf(page, eventId).waitFor()
    })
  })

  it('is worked with keys alone, unless they are turned off', async () => {
    const stored = payment()
    const [first, second] = [`keys-1-${stored['eventId']}`, `keys-2-${stored['eventId']}`]
    await postPayment(stored)
    await failing(stored, first)
    await failing(stored, second)
    await mend(stored)
    await visit(ADDRESS, async (page) => {
      const focused = () => page.evaluate('document.activeElement.textContent')
      await page.keyboard.press('/')
      await page.keyboard.type('keys-')
      await page.getByText('2 shown').waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('j')
      expect(await focused()).toBe(second)
      await page.keyboard.press('j')
      expect(await focused()).toBe(first)
      await page.keyboard.press('k')
      expect(await focused()).toBe(second)
      await page.keyboard.press('r')
      await rowOf(page, second).locator('.badge[data-tone=good]').waitFor(HEARD)
      await page.keyboard.press('j')
      await page.keyboard.press('Enter')
      await page.locator('h2:focus', { hasText: first }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('a:focus', { hasText: first }).waitFor()
      await page.getByRole('checkbox', { name: 'Use keys' }).uncheck()
      await page.keyboard.press('/')
      expect(await page.locator('#search:focus').count()).toBe(0)
    })
  })

  it('runs all that match again, after it has counted them', async () => {
    const stored = payment()
    await postPayment(stored)
    const eventIds = Array.from({ length: 200 }, (_, index) => `many-${index}-${stored['eventId']}`)
    for (const eventId of eventIds) await failing(stored, eventId)
    await mend(stored)
    await visit(`${ADDRESS}?q=many-`, async (page) => {
      await page.getByRole('button', { name: 'Retry all failed that match …' }).click()
      await page.getByRole('heading', { name: '200 failed events match' }).waitFor()
      await page.getByLabel('Why').fill('the order was corrected')
      await page.getByLabel('A second').fill('100')
      await page.getByRole('button', { name: 'Run all 200 again' }).click()
      await page.getByText(/^\d+ of 200: [1-9]\d* processed, 0 failed again$/).waitFor({ timeout: 20_000 })
      await page.getByText('All have run again').waitFor({ timeout: 30_000 })
      await page.getByText('200 of 200: 200 processed, 0 failed again').waitFor()
      await page.locator('.event .badge[data-tone=good]').nth(49).waitFor(HEARD)
    })
  })

  it('reads older ones behind the last, without a gap', async () => {
    await visit(`${ADDRESS}?q=many-`, async (page) => {
      await page.getByText('50 shown').waitFor()
      await page.getByRole('button', { name: 'Older ones' }).click()
      await page.getByText('100 shown').waitFor()
      await postPayment(payment({ eventId: 'many-late' }))
      await page.getByText('101 shown').waitFor(HEARD)
      const names = await page.locator('[data-event]').allTextContents()
      const numbers = names.slice(1).map((name) => Number(name.split('-')[1]))
      expect(names[0]).toBe('many-late')
      expect(numbers).toEqual(Array.from({ length: 100 }, (_, index) => 199 - index))
    })
  })

  it('hears of changes over STOMP at once, and goes on where it was when the channel breaks', async () => {
    await visit(ADDRESS, async (page) => {
      const sent: string[] = []
      const sockets: WebSocketRoute[] = []
      await page.routeWebSocket(stack.ready.ws, (socket) => {
        const server = socket.connectToServer()
        socket.onMessage((message) => {
          sent.push(String(message))
          server.send(message)
        })
        sockets.push(socket)
      })
      await page.reload({ waitUntil: 'networkidle' })
      await page.getByText('Go live').click()
      await page.getByLabel('Password').fill('admin-demo')
      await page.getByRole('button', { name: 'Subscribe' }).click()
      await page.getByText('Live over STOMP').waitFor(HEARD)
      const [one, other] = [payment({ eventId: 'live-1' }), payment({ eventId: 'live-2' })]
      // From here on the channel alone can tell.
      await page.route(LIST, () => {})
      await postPayment(one)
      await rowOf(page, 'live-1').getByText('Processed').waitFor(HEARD)
      await sockets[0]?.close()
      await page.getByText('Connecting again').waitFor()
      await postPayment(other)
      await page.getByText('Live over STOMP').waitFor(HEARD)
      await rowOf(page, 'live-2').getByText('Processed').waitFor(HEARD)
      const subscriptions = sent.filter((frame) => frame.startsWith('SUBSCRIBE'))
      expect(subscriptions.map((frame) => /^resume-after:\S/m.test(frame))).toEqual([false, true])
      expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage])')).not.toContain('eyJ')
    })
  })

  it('says so when the password is wrong, and goes on asking', async () => {
    const complaints = await complaintsIn(ADDRESS, async (page) => {
      await page.getByText('Go live').click()
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Subscribe' }).click()
      await page.getByRole('alert').getByText(/./).waitFor()
      await page.getByText('Updated every 3 seconds').waitFor()
      await page.getByRole('button', { name: 'Subscribe', disabled: false }).waitFor()
    })
    expect(complaints.filter((complaint) => !complaint.includes('401'))).toEqual([])
  })

  it('says so while the service does not answer, and goes on afterwards', async () => {
    const complaints = await complaintsIn(ADDRESS, async (page) => {
      await page.route(LIST, (route) => route.abort())
      await page.getByRole('alert').getByText('The service does not answer.').waitFor(HEARD)
      expect(await page.locator('.event').count()).toBeGreaterThan(0)
      await page.unroute(LIST)
      await page.getByRole('alert').waitFor({ ...HEARD, state: 'detached' })
    })
    expect(complaints.filter((complaint) => !complaint.includes('ERR_FAILED'))).toEqual([])
  })

  it('says so when the session is over, and leaves what it shows', async () => {
    const complaints = await complaintsIn(ADDRESS, async (page) => {
      await page.context().clearCookies()
      await page.getByText('Your session has ended.').waitFor(HEARD)
      expect(await page.getByRole('alert').count()).toBe(0)
      expect(await page.locator('.event').count()).toBeGreaterThan(0)
    })
    expect(complaints.filter((complaint) => !complaint.includes('401'))).toEqual([])
  })

  it('is no wider than a screen of 320 pixels, with an event or without', async () => {
    await visit(
      ADDRESS,
      async (page) => {
        const width = () => page.evaluate('document.documentElement.scrollWidth')
        expect(await width()).toBeLessThanOrEqual(320)
        await page.getByText('Send a test event').click()
        await page.getByRole('button', { name: 'Send', exact: true }).click()
        await page.locator('.delivery').getByText('Request and answer').click()
        expect(await width()).toBeLessThanOrEqual(320)
        await page.locator('[data-event]').first().click()
        await page.getByRole('heading', { name: 'Payload' }).waitFor()
        expect(await width()).toBeLessThanOrEqual(320)
      },
      { viewport: { width: 320, height: 640 } },
    )
  })
})
