import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { INBOX, processed, visitInbox } from '../support/inbox.ts'
import { leaveEvents } from '../support/local-tables.ts'
import { describeInBrowser } from '../support/visit.ts'

const COUNTS = '**/api/webhooks/counts?*'

const HOUR = 3_600_000

describeInBrowser('the totals and the histogram of the inbox', () => {
  const total = (page: Page, label: string) => page.getByRole('button', { name: new RegExp(`^${label} `) })
  const slider = (page: Page) => page.getByRole('slider')
  const rangeOf = (page: Page) => {
    const { searchParams } = new URL(page.url())
    return [searchParams.get('from'), searchParams.get('to')].map((text) => new Date(text ?? ''))
  }

  it('count the whole range and not only the visible rows; each total is a link to its events', async () => {
    // Other files send their events now.
    const until = new Date(Date.now() - 2 * HOUR)
    const range = new URLSearchParams({ from: new Date(until.getTime() - HOUR).toISOString(), to: until.toISOString() })
    await leaveEvents(51, crypto.randomUUID(), { until, status: 'PROCESSED', dead: false })
    await leaveEvents(2, crypto.randomUUID(), { until })
    await visitInbox(`${INBOX}?${range}`, async (page) => {
      await total(page, 'Processed').getByText('51', { exact: true }).waitFor()
      await page.getByText('1–50', { exact: true }).waitFor()
      await page.getByText('53 in this range').waitFor()
      await total(page, 'Failed').click()
      await page.getByText('1–2 of 2').waitFor()
      expect(new URL(page.url()).search).toBe(`?status=FAILED&${range}&dead=true`)
      expect(await total(page, 'Processed').innerText()).toContain('51')
      await total(page, 'Failed').click()
      expect(new URL(page.url()).search).toBe(`?${range}`)
    })
  })

  it('narrow the range by a drag, by a click and by keys', async () => {
    await processed(`chart-${crypto.randomUUID()}`)
    await visitInbox(INBOX, async (page) => {
      const box = await slider(page).boundingBox()
      const at = (part: number) => ({ x: (box?.x ?? 0) + (box?.width ?? 0) * part, y: (box?.y ?? 0) + 20 })
      await page.mouse.move(at(0.25).x, at(0.25).y)
      await page.mouse.down()
      await page.mouse.move(at(0.5).x, at(0.5).y, { steps: 3 })
      await page.locator('.brush').waitFor()
      await page.mouse.up()
      const [from, to] = rangeOf(page)
      const hours = ((to?.getTime() ?? 0) - (from?.getTime() ?? 0)) / 3_600_000
      expect([hours > 5, hours < 7]).toEqual([true, true])
      await page.goBack()
      expect(new URL(page.url()).search).toBe('')

      await expect.poll(() => slider(page).getAttribute('aria-valuemax')).toBe('96')
      await slider(page).focus()
      const texts: (string | null)[] = []
      for (const key of ['ArrowLeft', 'ArrowLeft']) {
        await page.keyboard.press(key)
        texts.push(await slider(page).getAttribute('aria-valuetext'))
      }
      for (const text of texts) expect(text).toMatch(/^\w+ \d+, \d\d:\d\d to \d\d:\d\d: /)
      // A quarter of an hour may begin after the event.
      expect(texts.some((text) => text?.includes('processed'))).toBe(true)
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Shift+ArrowLeft')
      await page.keyboard.press('Enter')
      const [begin, end] = rangeOf(page)
      expect((end?.getTime() ?? 0) - (begin?.getTime() ?? 0)).toBe(2 * 15 * 60_000 - 1)
      await page.getByRole('button', { name: /^Time range: .* – / }).click()
      await page.getByRole('button', { name: 'Last hour' }).click()
      expect(new URL(page.url()).search).toBe('?range=1h')
    })
  })

  it('interpret times in the zone of the viewer', async () => {
    await visitInbox(
      INBOX,
      async (page) => {
        await page.getByRole('button', { name: /^Time range/ }).click()
        await page.getByLabel('From').fill('2026-01-02T03:04:05')
        await page.getByLabel('To; empty for now').fill('')
        await page.getByRole('button', { name: 'Apply' }).click()
        expect(new URL(page.url()).search).toBe('?from=2026-01-02T08%3A04%3A05.000Z')
        await page.getByRole('button', { name: 'Time range: Since 2 Jan, 03:04' }).waitFor()
      },
      { timezoneId: 'America/New_York' },
    )
  })

  it('are also a table, whose rows link to their events', async () => {
    await processed(`chart-${crypto.randomUUID()}`)
    await visitInbox(INBOX, async (page) => {
      await total(page, 'Processed').getByText(/^\d/).waitFor()
      await page.getByRole('button', { name: 'Counts as a table' }).click()
      const row = page.getByRole('dialog').getByRole('row').last()
      expect(await row.innerText()).toMatch(/\d/)
      await row.getByRole('button').click()
      expect(rangeOf(page).map((time) => Number.isNaN(time.getTime()))).toEqual([false, false])
    })
  })

  it('show “at least” when there are too many to count', async () => {
    await visitInbox(INBOX, async (page) => {
      await page.route(COUNTS, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), complete: false } })
      })
      await page.reload()
      await page.getByText(/^at least \d+ in the last 24 hours$/).waitFor()
      expect(await total(page, 'Processed').innerText()).toMatch(/\+$/)
    })
  })
})
