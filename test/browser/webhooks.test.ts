import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { payment, postPayment } from '../support/events.ts'
import { failing, INBOX, mend, processed, processedInTurn, rowOf, visitInbox } from '../support/inbox.ts'
import { leaveEvents } from '../support/local-tables.ts'
import { describeInBrowser, fillLogin, REFUSED_CALLS, visit } from '../support/visit.ts'

describeInBrowser('the inbox of webhooks', () => {
  const search = (page: Page) => page.getByRole('combobox', { name: 'Search events' })
  const queryOf = (page: Page) => new URL(page.url()).search
  const openedIn = (page: Page) => new URL(page.url()).searchParams.get('event')

  it('searches while the user types, in any case, in types and sources as well; an empty result offers to clear the search', async () => {
    const eventId = await processed(`Find-${crypto.randomUUID()}`)
    await visitInbox(INBOX, async (page) => {
      await search(page).pressSequentially(eventId.toUpperCase())
      await rowOf(page, eventId).waitFor()
      await search(page).fill('pAyMeN')
      await rowOf(page, eventId).waitFor()
      await search(page).fill('nothing is like this')
      await page.getByRole('heading', { name: 'No event matches' }).waitFor()
      await page.getByRole('button', { name: 'Clear filters' }).click()
      await rowOf(page, eventId).waitFor()
      expect([await search(page).inputValue(), queryOf(page)]).toEqual(['', ''])
    })
  })

  it('completes sources and statuses to chips, several of each, which are removed one by one or all at once', async () => {
    await visitInbox(INBOX, async (page) => {
      await search(page).pressSequentially('source:PAYM')
      await page.getByRole('option', { name: /payment$/ }).waitFor()
      await page.keyboard.press('Enter')
      await search(page).pressSequentially('source:stripe status:fai')
      await page.keyboard.press('Tab')
      await search(page).pressSequentially('nothing')
      expect(queryOf(page)).toBe('?status=FAILED&source=payment&source=stripe&q=nothing&dead=true')
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
    await visitInbox(INBOX, async (page) => {
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
    await visit({ at: address, allow: REFUSED_CALLS }, async (page) => {
      const logIn = async () => {
        await fillLogin(page)
        await page.getByRole('region', { name: eventId }).waitFor()
        expect(page.url()).toContain(address)
      }
      await page.locator('main').getByRole('link', { name: 'Log in' }).click()
      await logIn()
      await page.context().clearCookies()
      await page.getByRole('link', { name: 'Log in again' }).first().click()
      await logIn()
    })
  })

  it('opens the next event with j and k, and shows its keys', async () => {
    const tag = crypto.randomUUID()
    await processedInTurn([`3-${tag}`, `2-${tag}`, `1-${tag}`])
    await visitInbox(`${INBOX}?q=${tag}`, async (page) => {
      const { keyboard } = page
      await rowOf(page, `3-${tag}`).waitFor()
      await keyboard.press('j')
      await keyboard.press('j')
      await keyboard.press('Enter')
      await expect.poll(() => openedIn(page)).toBe(`payment/2-${tag}`)
      await keyboard.press('j')
      await expect.poll(() => openedIn(page)).toBe(`payment/3-${tag}`)
      await page.getByRole('region', { name: `3-${tag}` }).waitFor()
      const moved = "[...document.querySelectorAll('.rows td')].filter((cell) => cell.scrollLeft !== 0).length"
      expect(await page.evaluate(moved), 'cells whose text has moved').toBe(0)
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
    await visitInbox(`${INBOX}?q=${eventId}`, async (page) => {
      await rowOf(page, eventId).getByText('Retrying').waitFor()
      await page.keyboard.press('j')
      await page.keyboard.press('r')
      await page.getByText('PAYMENT failed again').waitFor()
      await page.getByText(`You retried ${eventId}.`).waitFor()
      await mend(stored)
      await page.keyboard.press('r')
      await page.getByText('PAYMENT is processed').waitFor()
      await rowOf(page, eventId).getByText('Processed').waitFor()
    })
  })

  it('retries all matching events after it has counted them', async () => {
    const stored = payment()
    const tag = crypto.randomUUID()
    await postPayment(stored)
    for (const name of ['a', 'b', 'c']) await failing(stored, `${name}-${tag}`)
    await mend(stored)
    await visitInbox(`${INBOX}?q=${tag}&status=FAILED&status=RETRY`, async (page) => {
      await rowOf(page, `a-${tag}`).waitFor()
      await page.getByRole('button', { name: 'Retry all …' }).click()
      const dialog = page.getByRole('dialog')
      expect(await dialog.getByLabel('Part of the id').inputValue()).toBe(tag)
      await dialog.getByLabel('Reason').fill('the order was corrected')
      await dialog.getByLabel('Events a second').fill('100')
      await dialog.getByRole('button', { name: 'Count' }).click()
      await dialog.getByRole('button', { name: 'Start with 3' }).click()
      await page.getByText('The replay has started').waitFor()
      await page.getByRole('button', { name: 'Clear', exact: true }).click()
      await search(page).fill(tag)
      for (const name of ['a', 'b', 'c']) {
        // Of equal ones, all but the first are superseded.
        await rowOf(page, `${name}-${tag}`)
          .getByText(/Processed|Superseded/)
          .waitFor()
      }
    })
  })

  it.each(['a/b', 'a%2Fb', 'ev?il#1', '\u202Eevil'])(
    'opens an event whose id would break an address or a parser: %j',
    async (name) => {
      const eventId = await processed(`${name}-${crypto.randomUUID()}`)
      await visitInbox(`${INBOX}?source=payment`, async (page) => {
        await rowOf(page, eventId).click()
        expect(openedIn(page)).toBe(`payment/${eventId}`)
        await page.locator('.pane').getByRole('heading', { name: 'PAYMENT' }).waitFor()
        const shown = await rowOf(page, eventId).locator('code').innerText()
        expect(shown).toBe(eventId.replace('\u202E', 'U+202E'))
        await page.reload()
        await page.locator('.pane').getByRole('heading', { name: 'PAYMENT' }).waitFor()
      })
    },
  )

  it('stores a filter as a view in the side menu, until it is removed', async () => {
    await visitInbox(`${INBOX}?source=payment&range=7d`, async (page) => {
      await page.getByRole('button', { name: 'Save view …' }).click()
      await page.getByLabel('Name').fill('Payments of a week')
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      const menu = page.getByRole('navigation', { name: 'Console' })
      await menu.getByRole('link', { name: /^Needs attention/ }).click()
      await page.getByRole('heading', { name: 'Needs attention' }).waitFor()
      expect(queryOf(page)).toBe('?attention=true&range=7d')
      await menu.getByRole('link', { name: 'Payments of a week' }).click()
      await page.getByRole('heading', { name: 'Payments of a week' }).waitFor()
      expect(queryOf(page)).toBe('?source=payment&range=7d')
      await expect.poll(() => menu.locator('[data-count="events"]').innerText()).toMatch(/^\d+$/)
      await menu.getByRole('button', { name: 'Remove the view Payments of a week' }).click()
      await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
    })
  })

  it('has its views on a phone as well, behind “More”', async () => {
    await visitInbox(
      INBOX,
      async (page) => {
        await page.getByText('More', { exact: true }).click()
        await page.getByRole('link', { name: 'Needs attention' }).click()
        await page.waitForURL(/attention=true/)
      },
      { viewport: { width: 390, height: 844 } },
    )
  })

  it('pages to older events, and back', async () => {
    const tag = crypto.randomUUID()
    await leaveEvents(120, tag)
    await visitInbox(`${INBOX}?q=${tag}`, async (page) => {
      const ids = () => page.locator('.rows tbody code').allInnerTexts()
      const numbers = async () => (await ids()).map((id) => Number(id.split('-')[0]))
      const down = (from: number, count: number) => Array.from({ length: count }, (_, index) => from - index)
      await page.getByText('1–50', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Older' }).click()
      await page.getByText('51–100', { exact: true }).waitFor()
      expect(await numbers()).toEqual(down(69, 50))
      await page.getByRole('link', { name: 'Older' }).click()
      await page.getByText('101–120 of 120').waitFor()
      expect(await numbers()).toEqual(down(19, 20))
      await page.goBack()
      await page.getByText('51–100', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'Newest' }).click()
      await page.getByText('1–50', { exact: true }).waitFor()
      expect(await numbers()).toEqual(down(119, 50))
    })
  })

  it('shows why it cannot load, and how to correct it, when the address has an invalid filter', async () => {
    await processed(`valid-${crypto.randomUUID()}`)
    await visitInbox(
      `${INBOX}?status=LOST`,
      async (page) => {
        await page
          .getByRole('alert')
          .getByText(/status must be one of/)
          .waitFor()
        await page.getByRole('link', { name: /without a filter/ }).click()
        await page.locator('.rows tbody code').first().waitFor()
      },
      { allow: REFUSED_CALLS },
    )
  })
})
