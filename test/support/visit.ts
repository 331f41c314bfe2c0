import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { complaintsOf } from './complaints.ts'

/** Runs a visit in a browser of its own; what that complained of. */
export async function visit(
  browser: Browser,
  options: BrowserContextOptions & { readonly baseURL: string },
  run: (page: Page) => Promise<void>,
): Promise<readonly string[]> {
  const context = await browser.newContext(options)
  const complaints = complaintsOf(context, options.baseURL)
  try {
    await run(await context.newPage())
  } finally {
    await context.close()
  }
  return complaints
}

/** Logs in by the form, as one of the demo users unless a password is given, and waits for the page that answers. */
export async function logIn(page: Page, username = 'admin', password = `${username}-demo`): Promise<void> {
  await page.goto('/login')
  await page.getByRole('textbox', { name: 'User name' }).fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  const answered = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await answered
}

/** Goes to a page and waits until its script has all that it loads at once. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'networkidle' })
}

const REFUSED_CALL =
  /^(?:4\d\d: http:\/\/[^/]+\/api\/|console: Failed to load resource: the server responded .* 4\d\d )/

/** Complaints without those of calls to the API that are made to be refused, which a browser logs in any case. */
export function butRefusals(complaints: readonly string[]): readonly string[] {
  return complaints.filter((complaint) => !REFUSED_CALL.test(complaint))
}
