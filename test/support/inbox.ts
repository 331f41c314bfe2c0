import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { serviceOfTests } from './console-service.ts'
import { payment, postPayment } from './events.ts'
import { forgetRow } from './local-tables.ts'
import type { Stack } from './stack.ts'
import { visit } from './visit.ts'

export const INBOX = '/console/webhooks'

/** The request of the list. */
export const LIST = '**/api/webhooks/events?*'

/** How long the page may take to show a change, on a busy machine: it asks every three seconds at least. */
export const HEARD = { timeout: 20_000 }

type Payment = ReturnType<typeof payment>

export interface Inbox {
  readonly stack: Stack
  /** Visits an address as an admin; what the browser complained of. */
  visiting(
    address: string,
    run: (page: Page) => Promise<void>,
    options?: BrowserContextOptions,
  ): Promise<readonly string[]>
  /** The same for somebody who is not logged in. */
  visitingAnonymously(run: (page: Page) => Promise<void>, options?: BrowserContextOptions): Promise<readonly string[]>
}

/** A service of its own and a browser, for the tests of a file. */
export function inboxOfTests(path: string | undefined): () => Inbox {
  const service = serviceOfTests(path)
  return () => {
    const { stack, browser, base } = service()
    const visitingAnonymously: Inbox['visitingAnonymously'] = (run, options = {}) =>
      visit(browser, { baseURL: base, ...options }, run)
    return {
      stack,
      visitingAnonymously,
      visiting: (address, run, options) =>
        visitingAnonymously(async (page) => {
          await page.goto(`/login?returnTo=${encodeURIComponent(address)}`)
          await logInHere(page)
          await page.locator('.rows').waitFor()
          await run(page)
        }, options),
    }
  }
}

/** Logs in as an admin on the login page that is shown. */
export async function logInHere(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: 'User name' }).fill('admin')
  await page.getByRole('textbox', { name: 'Password' }).fill('admin-demo')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}

/** The row of a payment's event. */
export function rowOf(page: Page, eventId: string): Locator {
  return page.locator('.rows tbody tr', { has: page.locator(`[data-event="payment/${eventId}"]`) })
}

/** Sends a payment that is processed. @returns its event id */
export async function processed(eventId: string): Promise<string> {
  await postPayment(payment({ eventId }))
  return eventId
}

/** Sends payments that are processed, a few at a time; the newest is the last. */
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
