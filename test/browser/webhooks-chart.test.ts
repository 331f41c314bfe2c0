import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { chromiumPath } from '../support/chromium.ts'
import { payment, postPayment } from '../support/events.ts'
import { failing, HEARD, INBOX, inboxOfTests, processedInTurn } from '../support/inbox.ts'

const path = chromiumPath()
const COUNTS = '**/api/webhooks/counts?*'

describe.skipIf(path === undefined)('the totals and the histogram of the inbox', () => {
  const inbox = inboxOfTests(path)
  const visit = async (...parameters: Parameters<ReturnType<typeof inbox>['visiting']>) =>
    expect(await inbox().visiting(...parameters)).toEqual([])

  const total = (page: Page, label: string) => page.getByRole('button', { name: new RegExp(`^${label} `) })
  const slider = (page: Page) => page.getByRole('slider')
  const rangeOf = (page: Page) => {
    const { searchParams } = new URL(page.url())
    return [searchParams.get('from'), searchParams.get('to')].map((text) => new Date(text ?? ''))
  }

  it('count the whole range and not only the visible rows; each total is a link to its events', async () => {
    const stored = payment()
    await postPayment(stored)
    await processedInTurn(Array.from({ length: 60 }, (_, index) => `chart-${index}`))
    for (const name of ['a', 'b']) await failing(stored, `chart-failed-${name}`)
    await visit(INBOX, async (page) => {
      await total(page, 'Processed').getByText('61', { exact: true }).waitFor(HEARD)
      await page.getByText('1–50 of at least 51').waitFor(HEARD)
      await page.getByText('63 in the last 24 hours').waitFor()
      await total(page, 'Failed or retrying').click()
      await page.getByText('1–2 of 2').waitFor(HEARD)
      expect(new URL(page.url()).search).toBe('?status=FAILED&status=RETRY')
      expect(await total(page, 'Processed').innerText()).toContain('61')
      await total(page, 'Failed or retrying').click()
      expect(new URL(page.url()).search).toBe('')
    })
  })

  it('draw a few failed events from the baseline, at least three pixels high', async () => {
    await visit(INBOX, async (page) => {
      const failed = page.locator('.hist rect[data-tone="bad"]')
      await failed.first().waitFor(HEARD)
      const drawing = await page.locator('.hist svg').boundingBox()
      const bar = await failed.first().boundingBox()
      expect(bar?.height).toBeGreaterThanOrEqual(2.99)
      const bottom = (box: typeof bar) => (box?.y ?? 0) + (box?.height ?? 0)
      expect(bottom(bar)).toBeCloseTo(bottom(drawing), 0)
    })
  })

  it('narrow the range by a drag, by a click and by keys', async () => {
    await processedInTurn(['chart-bar'])
    await visit(INBOX, async (page) => {
      const box = await slider(page).boundingBox(HEARD)
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
    await visit(
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
    await visit(INBOX, async (page) => {
      await total(page, 'Processed').getByText(/^\d/).waitFor(HEARD)
      await page.getByRole('button', { name: 'Counts as a table' }).click()
      const row = page.getByRole('dialog').getByRole('row').last()
      expect(await row.innerText()).toMatch(/\d/)
      await row.getByRole('button').click()
      expect(rangeOf(page).map((time) => Number.isNaN(time.getTime()))).toEqual([false, false])
    })
  })

  it('show “at least” when there are too many to count', async () => {
    await visit(INBOX, async (page) => {
      await page.route(COUNTS, async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, json: { ...(await response.json()), complete: false } })
      })
      await page.reload()
      await page.getByText(/^at least \d+ in the last 24 hours$/).waitFor(HEARD)
      expect(await total(page, 'Processed').innerText()).toMatch(/\+$/)
    })
  })
})
