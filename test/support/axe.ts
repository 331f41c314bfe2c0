import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/**
 * Expects that axe finds nothing wrong with a page as it is shown, in light and in dark colors and, as far as the size
 * matters, on a phone, and that 320 pixels are wide enough for it. The page has its size again afterwards.
 * @param within a selector of the part to look at
 */
export async function expectSound(page: Page, within = 'html'): Promise<void> {
  const what = `${within} at ${page.url()}`
  const before = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  expect(await violationsOf(page, within, {}), what).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await violationsOf(page, within, { runOnly: ['color-contrast'] }), `${what} in dark colors`).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate('document.documentElement.scrollWidth'), `${what} at 320 pixels`).toBeLessThanOrEqual(320)
  const ofPhones = { runOnly: ['scrollable-region-focusable', 'aria-hidden-focus'] }
  expect(await violationsOf(page, within, ofPhones), `${what} on a phone`).toEqual([])
  await page.setViewportSize(before)
}

/** Each rule of axe that is broken, and the elements that break it. */
async function violationsOf(page: Page, within: string, options: axe.RunOptions): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source)
  const all = JSON.stringify({ ...options, resultTypes: ['violations'] })
  const { violations } = (await page.evaluate(`axe.run('${within}', ${all})`)) as axe.AxeResults
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
