import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectSound } from '../support/axe.ts'
import { payment, postPayment } from '../support/events.ts'
import { failing, INBOX, processed, visitInbox } from '../support/inbox.ts'
import { describeInBrowser, open } from '../support/visit.ts'

describeInBrowser('the layout of the inbox', () => {
  const rows = (page: Page) => page.locator('.rows tbody tr', { has: page.locator('[data-event]') })

  async function openFirst(page: Page): Promise<void> {
    await rows(page).first().click()
    await page.locator('.pane').getByRole('heading', { name: 'PAYMENT' }).waitFor()
  }

  it('shows an open event on the whole screen of a phone until it is closed', async () => {
    await processed(`layout-${crypto.randomUUID()}`)
    await visitInbox(
      INBOX,
      async (page) => {
        await openFirst(page)
        expect(await page.locator('.pane').boundingBox()).toMatchObject({ x: 0, y: 0, width: 390 })
        await page.goBack()
        await page.locator('.pane').waitFor({ state: 'detached' })
        expect(new URL(page.url()).pathname).toBe(INBOX)
      },
      { viewport: { width: 390, height: 844 } },
    )
  })

  it('does not move when its rows arrive', async () => {
    await processed(`layout-${crypto.randomUUID()}`)
    await visitInbox(INBOX, async (page) => {
      const head = () => page.locator('.rows thead').boundingBox()
      const { promise: measured, resolve: goOn } = Promise.withResolvers<void>()
      await page.route('**/api/webhooks/**', async (route) => {
        await measured
        await route.continue()
      })
      await page.reload({ waitUntil: 'commit' })
      await page.locator('.skel').first().waitFor()
      const before = await head()
      goOn()
      await rows(page).first().waitFor()
      await page.locator('.hist rect').first().waitFor()
      expect(await head()).toEqual(before)
    })
  })

  it.each<[string, (page: Page) => Promise<unknown>]>([
    ['while nothing matches', (page) => open(page, `${INBOX}?q=nothing`)],
    [
      'with all kinds of filters',
      (page) => open(page, `${INBOX}?source=payment&status=PROCESSED&status=FAILED&range=7d`),
    ],
    ['while it suggests', (page) => page.getByRole('combobox').pressSequentially('source:')],
    ['with the ranges', (page) => page.getByRole('button', { name: /^Time range/ }).click()],
    ['with a dialog', (page) => page.getByRole('button', { name: 'Send test event' }).first().click()],
    ['with an event open', openFirst],
  ])('axe finds no violation in it %s, and 320 pixels are wide enough', async (_, act) => {
    const stored = payment()
    await postPayment(stored)
    await failing(stored, `layout-${stored['eventId']}`)
    await visitInbox(INBOX, async (page) => {
      await page.locator('.hist rect').first().waitFor()
      await act(page)
      await expectSound(page)
    })
  })
})
