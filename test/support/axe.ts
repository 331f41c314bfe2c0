import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds wrong with a page as it is shown: each rule, and the elements that break it. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe.source)
  return run(page, { resultTypes: ['violations'] })
}

/** The same of the page in dark colors, once {@link violationsOf} has looked at it in light ones; without transitions. */
export async function violationsInTheDark(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  const violations = await run(page, { runOnly: ['color-contrast'], resultTypes: ['violations'] })
  await page.emulateMedia({ colorScheme: 'light' })
  return violations
}

async function run(page: Page, options: axe.RunOptions): Promise<readonly string[]> {
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as axe.AxeResults
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
