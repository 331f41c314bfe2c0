import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** A small desk whose page is enlarged by 200 %: axe finds there what it finds on a phone. */
const ENLARGED = { width: 640, height: 360 }

/** A desk, a tablet and a phone. */
export const SIZES = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, ENLARGED, { width: 320, height: 640 }]

/**
 * Expects that axe finds nothing wrong with a page as it is shown, in light and in dark colors, and that each size is wide
 * enough for it. The page has its size again afterwards.
 * @param within a selector of the part to look at
 */
export async function expectSound(page: Page, within = 'html', sizes = SIZES): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 720 }
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const size of sizes) {
    await page.setViewportSize(size)
    const what = `${within} at ${page.url()}, ${size.width} pixels wide`
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await page.evaluate('document.documentElement.scrollWidth'), what).toBeLessThanOrEqual(size.width)
    if (size === ENLARGED) continue
    expect(await violationsOf(page, within, {}), what).toEqual([])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await violationsOf(page, within, { runOnly: ['color-contrast'] }), `${what}, dark`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(before)
}

/** Expects that in each size every control of a part can be reached, and that no text of it covers another. */
export async function expectReadable(page: Page, within: string): Promise<void> {
  const before = page.viewportSize() ?? { width: 1280, height: 720 }
  for (const size of SIZES) {
    await page.setViewportSize(size)
    const found = await page.evaluate(`(${unreadableIn})(${JSON.stringify(within)})`)
    expect(found, `${within} at ${page.url()}, ${size.width} pixels wide`).toEqual([])
  }
  await page.setViewportSize(before)
}

/** Each rule of axe that is broken, and the elements that break it. */
async function violationsOf(page: Page, within: string, options: axe.RunOptions): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe.source)
  const all = JSON.stringify({ ...options, resultTypes: ['violations'] })
  const { violations } = (await page.evaluate(`axe.run('${within}', ${all})`)) as axe.AxeResults
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Runs in the page: what of a part is out of reach, and which texts cover each other. */
const unreadableIn = `(within) => {
  const part = document.querySelector(within)
  const shown = (element) => element.checkVisibility({ visibilityProperty: true })
  const controls = [...part.querySelectorAll('button, input, select, textarea, a[href], summary')].filter(shown)
  const hidden = controls.filter((control) => {
    control.scrollIntoView({ block: 'center', inline: 'nearest' })
    const { left, right, top, bottom } = control.getBoundingClientRect()
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return left < 0 || right > innerWidth || !hit || !(control.contains(hit) || hit.contains(control))
  })
  const wide = part.scrollWidth > part.clientWidth ? [part] : []
  const nodes = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
  const texts = []
  while (nodes.nextNode()) {
    const { currentNode: node } = nodes
    if (node.data.trim() === '' || !shown(node.parentElement) || node.parentElement.closest('.hide, option')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const box of range.getClientRects()) texts.push({ text: node.data, box, node })
  }
  const overlap = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3
  const covered = texts.filter((one, index) => texts.slice(0, index).some((other) => other.node !== one.node && overlap(one.box, other.box)))
  return [
    ...hidden.map((control) => 'out of reach: ' + control.outerHTML),
    ...wide.map(() => 'wider than its place'),
    ...covered.map(({ text }) => 'over another text: ' + text),
  ]
}`
