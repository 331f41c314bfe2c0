import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { expectSound } from '../support/axe.ts'
import { payment, postPayment } from '../support/events.ts'
import { failing, INBOX, processed, visitInbox } from '../support/inbox.ts'
import { atLocalhost } from '../support/localhost.ts'
import { describeInBrowser, open, visit } from '../support/visit.ts'

describeInBrowser('the layout of the inbox', () => {
  const rows = (page: Page) => page.locator('.rows tbody tr', { has: page.locator('[data-event]') })

  async function openFirst(page: Page): Promise<void> {
    await rows(page).first().click()
    await page.locator('.pane').getByRole('heading', { name: 'PAYMENT' }).waitFor()
  }

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

  it('axe finds no violation in any state of it, and 320 pixels are wide enough', async () => {
    const stored = payment()
    await postPayment(stored)
    await failing(stored, `layout-${stored['eventId']}`)
    await visitInbox(`${INBOX}?q=nothing`, async (page) => {
      await expectSound(page, 'main')
      await open(page, `${INBOX}?source=payment&status=PROCESSED&status=FAILED&range=7d`)
      await page.locator('.hist rect').first().waitFor()
      await expectSound(page)
      await page.getByRole('combobox').pressSequentially('source:')
      await page.getByRole('option').first().waitFor()
      await expectSound(page, 'search')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Time range/ }).click()
      await expectSound(page, '.bar')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Send test event' }).first().click()
      await page.getByLabel('Provider').waitFor()
      await expectSound(page, 'dialog')
      await page.keyboard.press('Escape')
      await openFirst(page)
      await expectSound(page, '.pane')
    })
  })
})

describeInBrowser('an inbox without events', () => {
  atLocalhost()

  it('explains how to send an event while there is none', async () => {
    await visit({ at: INBOX, as: 'admin' }, async (page) => {
      await page.getByRole('heading', { name: 'No event: last 24 h' }).waitFor()
      await page.getByText('npx gatehouse send stripe payment_intent.succeeded').waitFor()
      await expectSound(page)
      await page.getByRole('button', { name: 'Send test event' }).last().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByRole('dialog').getByText('200', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('.rows tbody tr').getByText('Processed').waitFor()
    })
  })
})
