import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { violationsOf } from '../support/axe.ts'
import { chromiumPath } from '../support/chromium.ts'
import { payment, postPayment } from '../support/events.ts'
import { failing, HEARD, INBOX, inboxOfTests, processedInTurn } from '../support/inbox.ts'

const path = chromiumPath()

const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

describe.skipIf(path === undefined)('the layout of the inbox', () => {
  const inbox = inboxOfTests(path)
  const visit = async (...parameters: Parameters<ReturnType<typeof inbox>['visiting']>) =>
    expect(await inbox().visiting(...parameters)).toEqual([])

  const rows = (page: Page) => page.locator('.rows tbody tr', { has: page.locator('[data-event]') })
  const width = (page: Page) => page.evaluate('document.documentElement.scrollWidth')

  async function open(page: Page): Promise<void> {
    await rows(page).nth(1).click(HEARD)
    await page.locator('.pane').getByRole('heading', { name: 'PAYMENT' }).waitFor(HEARD)
  }

  /** How many rows are seen in full. */
  async function visibleRows(page: Page): Promise<number> {
    const list = await page.locator('.rows').boundingBox()
    const end = (list?.y ?? 0) + (list?.height ?? 0)
    const boxes = await Promise.all((await rows(page).all()).map((row) => row.boundingBox()))
    return boxes.filter((box) => box && box.y + box.height <= end).length
  }

  it.each(['light', 'dark'] as const)(
    'axe finds no violation in it while it is empty, in %s colors',
    async (colorScheme) => {
      for (const viewport of [DESK, PHONE]) {
        await visit(
          `${INBOX}?q=nothing`,
          async (page) => {
            await page.getByRole('heading', { name: 'No event matches' }).waitFor(HEARD)
            expect(await violationsOf(page)).toEqual([])
          },
          { colorScheme, viewport },
        )
      }
    },
  )

  it('shows at least 14 rows of 34 pixels beside an open event, which has the full height', async () => {
    const stored = payment()
    await postPayment(stored)
    await failing(stored, 'layout-failed')
    await processedInTurn(Array.from({ length: 30 }, (_, index) => `layout-${index}`))
    await visit(
      INBOX,
      async (page) => {
        await open(page)
        expect(await visibleRows(page)).toBeGreaterThanOrEqual(14)
        expect((await rows(page).first().boundingBox())?.height).toBe(34)
        expect(await page.locator('.pane').boundingBox()).toMatchObject({ y: 0, height: 900 })
      },
      { viewport: DESK },
    )
  })

  it('shows its first event in the upper half of a phone, and an open one on the whole screen until it is closed', async () => {
    await visit(
      INBOX,
      async (page) => {
        await rows(page).first().waitFor(HEARD)
        expect((await rows(page).first().boundingBox())?.y).toBeLessThan(400)
        await open(page)
        expect(await page.locator('.pane').boundingBox()).toMatchObject({ x: 0, y: 0, width: 390 })
        await page.goBack()
        await page.locator('.pane').waitFor({ state: 'detached' })
        expect(new URL(page.url()).pathname).toBe(INBOX)
      },
      { viewport: PHONE },
    )
  })

  it('does not move when its rows arrive', async () => {
    await visit(
      INBOX,
      async (page) => {
        const head = () => page.locator('.rows thead').boundingBox()
        const { promise: measured, resolve: goOn } = Promise.withResolvers<void>()
        await page.route('**/api/webhooks/**', async (route) => {
          await measured
          await route.continue()
        })
        await page.reload({ waitUntil: 'commit' })
        await page.locator('.skel').first().waitFor(HEARD)
        const before = await head()
        goOn()
        await rows(page).first().waitFor(HEARD)
        await page.locator('.hist rect').first().waitFor(HEARD)
        expect(await head()).toEqual(before)
      },
      { viewport: DESK },
    )
  })

  it.each([
    ['light', DESK],
    ['dark', DESK],
    ['light', PHONE],
    ['dark', PHONE],
  ] as const)(
    'axe finds no violation in it full and with an event open, in %s colors, %j',
    async (colorScheme, viewport) => {
      await visit(
        INBOX,
        async (page) => {
          await rows(page).first().waitFor(HEARD)
          await page.locator('.hist rect').first().waitFor(HEARD)
          expect(await violationsOf(page), 'full').toEqual([])
          await page.getByRole('combobox').pressSequentially('source:')
          await page.getByRole('option').first().waitFor(HEARD)
          expect(await violationsOf(page), 'while it suggests').toEqual([])
          await page.keyboard.press('Enter')
          await page.getByRole('button', { name: /^Time range/ }).click()
          expect(await violationsOf(page), 'with the ranges').toEqual([])
          await page.keyboard.press('Escape')
          await page.getByRole('button', { name: 'Send test event' }).first().click()
          await page.getByLabel('Provider').waitFor(HEARD)
          expect(await violationsOf(page), 'with a dialog').toEqual([])
          await page.keyboard.press('Escape')
          await page.goto(INBOX)
          await open(page)
          expect(await violationsOf(page), 'with an event open').toEqual([])
        },
        { colorScheme, viewport },
      )
    },
  )

  it.each([
    ['a screen of 320 pixels', { width: 320, height: 640 }],
    ['a desktop at 200 %', { width: 720, height: 450 }],
  ])('is no wider than %s, with or without an event', async (_, viewport) => {
    await visit(
      `${INBOX}?source=payment&status=PROCESSED&status=FAILED&range=7d`,
      async (page) => {
        await rows(page).first().waitFor(HEARD)
        expect(await width(page)).toBeLessThanOrEqual(viewport.width)
        await page.getByRole('button', { name: /^Time range/ }).click()
        expect(await width(page)).toBeLessThanOrEqual(viewport.width)
        await page.keyboard.press('Escape')
        await open(page)
        expect(await width(page)).toBeLessThanOrEqual(viewport.width)
      },
      { viewport },
    )
  })
})
