import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { payment, postPayment } from './events.ts'
import { forgetRow } from './local-tables.ts'
import { type Visit, visit } from './visit.ts'

export const INBOX = '/console/webhooks'

/** The request of the list. */
export const LIST = '**/api/webhooks/events?*'

type Payment = ReturnType<typeof payment>

/** Visits a page of the inbox as an admin. */
export function visitInbox(at: string, run: (page: Page) => Promise<void>, options: Visit = {}): Promise<void> {
  return visit({ at, as: 'admin', ...options }, run)
}

/** Shows the page again, with timers that {@link movedUntil} moves. */
export async function withMovedClock(page: Page): Promise<void> {
  await page.clock.install()
  await page.reload()
}

/** Moves the page's time by the longest interval between two reads of the list, until something shows. */
export async function movedUntil(page: Page, isShown: () => Promise<boolean>): Promise<void> {
  const shown = async () => {
    await page.clock.fastForward(15_000)
    return isShown()
  }
  await expect.poll(shown, { timeout: 20_000 }).toBe(true)
}

/** The row of an event. */
export function rowOf(page: Page, eventId: string): Locator {
  return page.locator('.rows tbody tr', { has: page.locator(`[data-event$="/${eventId}"]`) })
}

/** Sends a payment that is processed. @returns its event id */
export async function processed(eventId: string): Promise<string> {
  await postPayment(payment({ eventId }))
  return eventId
}

/** Sends payments that are processed, one after the other; the newest is the last. */
export async function processedInTurn(eventIds: readonly string[]): Promise<void> {
  for (const eventId of eventIds) await processed(eventId)
}

/** Sends a payment that contradicts a stored one, and fails for as long as that is there. */
export async function failing(stored: Payment, eventId: string): Promise<void> {
  await postPayment({ ...stored, eventId, orderId: 'another-order', status: 'REFUNDED' })
}

/** Takes away what made events fail. */
export function mend({ transactionId }: Payment): Promise<void> {
  return forgetRow('payments', { transactionId: String(transactionId) })
}
