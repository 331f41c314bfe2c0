import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../support/chromium.ts'
import { payment, postPayment } from '../support/events.ts'
import {
  failing,
  HEARD,
  INBOX,
  inboxOfTests,
  logInHere,
  mend,
  processed,
  processedInTurn,
  rowOf,
} from '../support/inbox.ts'
import { leaveEvents } from '../support/local-tables.ts'
import { butRefusals } from '../support/visit.ts'

const path = chromiumPath()

describe.skipIf(path === undefined)('the inbox of webhooks in a real browser', () => {
  const inbox = inboxOfTests(path)

  /** Visits, and the browser complains of nothing. */
  const visit = async (...parameters: Parameters<ReturnType<typeof inbox>['visiting']>) =>
    expect(await inbox().visiting(...parameters)).toEqual([])

  const search = (page: Page) => page.getByRole('combobox', { name: 'Search events' })
  const queryOf = (page: Page) => new URL(page.url()).search
  const openedIn = (page: Page) => new URL(page.url()).searchParams.get('event')

  it('explains how to send an event while there is none', async () => {
    await visit(INBOX, async (page) => {
      await page.getByRole('heading', { name: 'No event: last 24 h' }).waitFor(HEARD)
      await page.getByText('npm run send -- stripe payment_intent.succeeded').waitFor()
      await page.getByRole('button', { name: 'Send test event' }).last().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByRole('dialog').getByText('200', { exact: true }).waitFor(HEARD)
      await page.keyboard.press('Escape')
      await page.locator('.rows tbody tr').getByText('Processed').waitFor(HEARD)
    })
  })

  it('searches while the user types, in any case, in types and sources as well; an empty result offers to clear the search', async () => {
    const eventId = await processed(`Find-${crypto.randomUUID()}`)
    await visit(INBOX, async (page) => {
      await search(page).pressSequentially(eventId.toUpperCase())
      await rowOf(page, eventId).waitFor(HEARD)
      await search(page).fill('pAyMeN')
      await rowOf(page, eventId).waitFor(HEARD)
      await search(page).fill('nothing is like this')
      await page.getByRole('heading', { name: 'No event matches' }).waitFor(HEARD)
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await rowOf(page, eventId).waitFor(HEARD)
      expect([await search(page).inputValue(), queryOf(page)]).toEqual(['', ''])
    })
  })

  it('completes sources and statuses to chips, several of each, which are removed one by one or all at once', async () => {
    await visit(INBOX, async (page) => {
      await search(page).pressSequentially('source:PAYM')
      await page.getByRole('option', { name: /payment$/ }).waitFor(HEARD)
      await page.keyboard.press('Enter')
      await search(page).pressSequentially('source:stripe status:fai')
      await page.keyboard.press('Tab')
      await search(page).pressSequentially('nothing')
      expect(queryOf(page)).toBe('?status=FAILED&source=payment&source=stripe&q=nothing')
      await page.getByRole('button', { name: 'Remove source payment' }).click()
      await search(page).fill('')
      await page.keyboard.press('Backspace')
      expect(queryOf(page)).toBe('?source=stripe')
      await page.getByRole('button', { name: 'Clear', exact: true }).click()
      expect(queryOf(page)).toBe('')
    })
  })

  it('restores every state with Back and Forward: filter, open event, tab', async () => {
    const eventId = await processed(`back-${crypto.randomUUID()}`)
    await visit(INBOX, async (page) => {
      await search(page).fill(eventId)
      await rowOf(page, eventId).click()
      const pane = page.getByRole('region', { name: eventId })
      await pane.getByRole('link', { name: 'Headers' }).click()
      const tab = () => pane.locator('[aria-current="page"]').innerText()
      expect(await tab()).toContain('Headers')
      await page.goBack()
      await expect.poll(tab).toContain('Overview')
      await page.goBack()
      await pane.waitFor({ state: 'detached' })
      expect(await search(page).inputValue()).toBe(eventId)
      await page.goBack()
      await expect.poll(() => search(page).inputValue()).toBe('')
      expect(queryOf(page)).toBe('')
      for (let step = 0; step < 3; step++) await page.goForward()
      await pane.waitFor()
      await expect.poll(tab).toContain('Headers')
      expect(await search(page).inputValue()).toBe(eventId)
    })
  })

  it('opens the requested page after a login, and after a second one', async () => {
    const eventId = await processed(`link-${crypto.randomUUID()}`)
    const address = `${INBOX}?q=${eventId}&event=payment%2F${eventId}`
    const complaints = await inbox().visitingAnonymously(async (page) => {
      const logIn = async () => {
        await logInHere(page)
        await page.getByRole('region', { name: eventId }).waitFor(HEARD)
        expect(page.url()).toContain(address)
      }
      await page.goto(address)
      await page.locator('main').getByRole('link', { name: 'Log in' }).click()
      await logIn()
      await page.context().clearCookies()
      await page.getByRole('link', { name: 'Log in again' }).first().click(HEARD)
      await logIn()
    })
    expect(butRefusals(complaints)).toEqual([])
  })

  it('opens the next event with j and k, and shows its keys', async () => {
    const tag = crypto.randomUUID()
    await processedInTurn([`3-${tag}`, `2-${tag}`, `1-${tag}`])
    await visit(`${INBOX}?q=${tag}`, async (page) => {
      const { keyboard } = page
      await rowOf(page, `3-${tag}`).waitFor(HEARD)
      await keyboard.press('j')
      await keyboard.press('j')
      await keyboard.press('Enter')
      await expect.poll(() => openedIn(page)).toBe(`payment/2-${tag}`)
      await keyboard.press('j')
      await expect.poll(() => openedIn(page)).toBe(`payment/3-${tag}`)
      await page.getByRole('region', { name: `3-${tag}` }).waitFor()
      await keyboard.press('k')
      await keyboard.press('k')
      await expect.poll(() => openedIn(page)).toBe(`payment/1-${tag}`)
      await keyboard.press('Escape')
      await expect.poll(() => openedIn(page)).toBeNull()
      expect(await page.evaluate('document.activeElement.dataset.event')).toBe(`payment/1-${tag}`)
      // A row counts everywhere, not only its link.
      await rowOf(page, `2-${tag}`).locator('td').last().click()
      await expect.poll(() => openedIn(page)).toBe(`payment/2-${tag}`)
      await keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).getByRole('checkbox').uncheck()
      await keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await keyboard.press('/')
      expect(await page.locator('#search:focus').count()).toBe(0)
    })
  })

  it('announces the result of a retry by the user: processed, or failed again', async () => {
    const stored = payment()
    const eventId = `retry-${stored['eventId']}`
    await postPayment(stored)
    await failing(stored, eventId)
    await visit(`${INBOX}?q=${eventId}`, async (page) => {
      await rowOf(page, eventId).getByText('Retrying').waitFor(HEARD)
      await page.keyboard.press('j')
      await page.keyboard.press('r')
      await page.getByText('PAYMENT failed again').waitFor(HEARD)
      await page.getByText(`You retried ${eventId}.`).waitFor()
      await mend(stored)
      await page.keyboard.press('r')
      await page.getByText('PAYMENT is processed').waitFor(HEARD)
      await rowOf(page, eventId).getByText('Processed').waitFor(HEARD)
    })
  })

  it('retries all matching events after it has counted them, and links to the progress', async () => {
    const stored = payment()
    const tag = crypto.randomUUID()
    await postPayment(stored)
    for (const name of ['a', 'b', 'c']) await failing(stored, `${name}-${tag}`)
    await mend(stored)
    await visit(`${INBOX}?q=${tag}&status=FAILED&status=RETRY`, async (page) => {
      await rowOf(page, `a-${tag}`).waitFor(HEARD)
      await page.getByRole('button', { name: 'Retry all …' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('3 failed events match').waitFor(HEARD)
      await dialog.getByLabel('Reason').fill('the order was corrected')
      await dialog.getByLabel('Events per second').fill('100')
      await dialog.getByRole('button', { name: 'Retry all 3' }).click()
      const href = await dialog.getByRole('link', { name: 'Show its progress' }).getAttribute('href', HEARD)
      expect(href).toMatch(/^\/console\/replays\?open=[\w-]{36}$/)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Clear', exact: true }).click()
      await search(page).fill(tag)
      for (const name of ['a', 'b', 'c']) {
        // Of equal ones, all but the first are superseded.
        await rowOf(page, `${name}-${tag}`)
          .getByText(/Processed|Superseded/)
          .waitFor(HEARD)
      }
    })
  })

  it.each(['a/b', 'a%2Fb', 'ev?il#1', '\u202Eevil'])(
    'opens an event whose id would break an address or a parser: %j',
    async (name) => {
      const eventId = await processed(`${name}-${crypto.randomUUID()}`)
      await visit(`${INBOX}?source=payment`, async (page) => {
        await rowOf(page, eventId).click(HEARD)
        expect(openedIn(page)).toBe(`payment/${eventId}`)
        await page.locator('.pane').getByRole('heading', { name: 'PAYMENT' }).waitFor(HEARD)
        const shown = await rowOf(page, eventId).locator('code').innerText()
        expect(shown).toBe(eventId.replace('\u202E', 'U+202E'))
        await page.reload()
        await page.locator('.pane').getByRole('heading', { name: 'PAYMENT' }).waitFor(HEARD)
      })
    },
  )

  it.each(['.', '..'])(
    'stores an event under a generated id if %j is its only content, and opens it',
    async (eventId) => {
      const { transactionId } = payment()
      await postPayment(payment({ eventId, transactionId }))
      await visit(`${INBOX}?source=payment`, async (page) => {
        await page.locator('.rows tbody tr a').first().click(HEARD)
        await page.locator('.pane').getByRole('heading', { name: 'PAYMENT' }).waitFor(HEARD)
        expect(openedIn(page)).not.toBe(`payment/${eventId}`)
      })
    },
  )

  it('shows times in the zone of the viewer, and UTC in the tooltip', async () => {
    const eventId = await processed(`zone-${crypto.randomUUID()}`)
    await visit(
      `${INBOX}?q=${eventId}`,
      async (page) => {
        const time = rowOf(page, eventId).locator('time')
        await time.waitFor(HEARD)
        const at = new Date((await time.getAttribute('datetime')) ?? '')
        const local = at.toLocaleTimeString('en-GB', { timeZone: 'America/New_York' })
        expect(await time.innerText()).toBe(local)
        expect(await time.getAttribute('title')).toContain(at.toISOString())
        await page
          .locator('.hist')
          .getByText(/· UTC-[45]$/)
          .waitFor(HEARD)
      },
      { timezoneId: 'America/New_York' },
    )
  })

  it('stores a filter as a view in the side menu, until it is removed', async () => {
    await visit(`${INBOX}?source=payment&range=7d`, async (page) => {
      await page.getByRole('button', { name: 'Save view …' }).click()
      await page.getByLabel('Name').fill('Payments of a week')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      const menu = page.getByRole('navigation', { name: 'Console' })
      await menu.getByRole('link', { name: /^Needs attention/ }).click()
      await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
      expect(queryOf(page)).toBe('?status=FAILED&status=RETRY&range=7d')
      await menu.getByRole('link', { name: 'Payments of a week' }).click()
      await page.getByRole('heading', { name: 'Payments of a week' }).waitFor()
      expect(queryOf(page)).toBe('?source=payment&range=7d')
      await expect.poll(() => menu.locator('[data-count="events"]').innerText()).toMatch(/^\d+$/)
      await menu.getByRole('button', { name: 'Remove the view Payments of a week' }).click()
      await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
    })
  })

  it('has its views on a phone as well, behind “More”', async () => {
    await visit(
      INBOX,
      async (page) => {
        await page.getByText('More', { exact: true }).click()
        await page.getByRole('link', { name: 'Needs attention' }).click()
        await page.waitForURL(/status=FAILED/)
      },
      { viewport: { width: 390, height: 844 } },
    )
  })

  it('pages to older events, and back', async () => {
    const tag = crypto.randomUUID()
    await processedInTurn(Array.from({ length: 120 }, (_, index) => `${index}-${tag}`))
    await visit(`${INBOX}?q=${tag}`, async (page) => {
      const ids = () => page.locator('.rows tbody code').allInnerTexts()
      const numbers = async () => (await ids()).map((id) => Number(id.split('-')[0]))
      const down = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index)
      await page.getByText('1–50 of at least 51').waitFor(HEARD)
      await page.getByRole('link', { name: 'Older' }).click()
      await page.getByText('51–100 of at least 101').waitFor(HEARD)
      expect(await numbers()).toEqual(down(69, 50))
      await page.getByRole('link', { name: 'Older' }).click()
      await page.getByText('101–120 of 120').waitFor(HEARD)
      expect(await numbers()).toEqual(down(19, 20))
      await page.goBack()
      await page.getByText('51–100 of at least 101').waitFor(HEARD)
      await page.getByRole('link', { name: 'Newest' }).click()
      await page.getByText('1–50 of at least 51').waitFor(HEARD)
      expect(await numbers()).toEqual(down(119, 50))
    })
  })

  it('pages through 10,000 events without growing', { timeout: 600_000 }, async () => {
    const tag = crypto.randomUUID()
    await leaveEvents(10_000, tag)
    await visit(`${INBOX}?source=bulk-${tag.slice(0, 8)}&range=30d`, async (page) => {
      const devtools = await page.context().newCDPSession(page)
      /** Once all that is not in use is gone. */
      async function measured() {
        await devtools.send('HeapProfiler.collectGarbage')
        const { nodes } = await devtools.send('Memory.getDOMCounters')
        const { usedSize } = await devtools.send('Runtime.getHeapUsage')
        return { nodes, mebibytes: usedSize / 2 ** 20 }
      }
      const rows = page.locator('.rows tbody code')
      await page.getByText('1–50 of at least 51').waitFor(HEARD)
      const times: number[] = []
      let early: Awaited<ReturnType<typeof measured>> | undefined
      for (let from = 51; from < 10_000; from += 50) {
        const begin = performance.now()
        await page.getByRole('link', { name: 'Older' }).click()
        await page.getByText(`${from.toLocaleString('en')}–${(from + 49).toLocaleString('en')} of`).waitFor(HEARD)
        times.push(performance.now() - begin)
        if (from === 501) early = await measured()
      }
      expect(await rows.count()).toBe(50)
      expect(await page.getByRole('link', { name: 'Older' }).count()).toBe(0)
      const late = await measured()
      const mean = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length
      process.stdout.write(
        `pages 2 to 11: ${mean(times.slice(0, 10)).toFixed(0)} ms each, 191 to 200: ${mean(times.slice(-10)).toFixed(0)} ms; ` +
          `heap ${early?.mebibytes.toFixed(1)} and ${late.mebibytes.toFixed(1)} MiB, ${early?.nodes} and ${late.nodes} nodes\n`,
      )
      expect(late.nodes).toBeLessThan((early?.nodes ?? 0) * 1.2)
    })
  })

  it('shows why it cannot load, and how to correct it, when the address has an invalid filter', async () => {
    const complaints = await inbox().visiting(`${INBOX}?status=LOST`, async (page) => {
      await page
        .getByRole('alert')
        .getByText(/status must be one of/)
        .waitFor(HEARD)
      await page.getByRole('link', { name: /without a filter/ }).click()
      await page.locator('.rows tbody code').first().waitFor(HEARD)
    })
    expect(butRefusals(complaints)).toEqual([])
  })
})
