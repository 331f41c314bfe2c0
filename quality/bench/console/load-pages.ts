import { launch } from '../../../test/support/chromium.ts'

interface Load {
  readonly what: string
  readonly address: string
  /** What has to be there; without it, the page is ready when its scripts have run. */
  readonly shows?: string
}

/** What is loaded, in this order. */
export const LOADS: readonly Load[] = [
  { what: 'login, the first page of a browser that was just started', address: '/login' },
  { what: 'login', address: '/login' },
  { what: 'home', address: '/' },
  { what: 'playground', address: '/console/playground' },
  { what: 'token', address: '/console/token' },
  { what: 'webhooks', address: '/console/webhooks' },
  { what: '– with its first 50 events', address: '/console/webhooks', shows: 'tbody a' },
]

type Browser = Awaited<ReturnType<typeof launch>>

/** Starts a browser and loads each page with an empty cache; milliseconds until each was ready. */
export async function loadPages(chromium: string, baseURL: string): Promise<readonly number[]> {
  const browser = await launch(chromium)
  try {
    const times: number[] = []
    for (const one of LOADS) times.push(await load(browser, baseURL, one))
    return times
  } finally {
    await browser.close()
  }
}

const SHOWN = (selector: string) => `new MutationObserver((_, observer) => {
  if (!document.querySelector('${selector}')) return
  performance.mark('shown')
  observer.disconnect()
}).observe(document, { childList: true, subtree: true })`

/** Module scripts have run when DOMContentLoaded comes (HTML, "the end"). */
const LOADED = 'performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd'

/** From the start of the navigation until the page is ready, as its own clock has it. */
async function load(browser: Browser, baseURL: string, { address, shows }: Load): Promise<number> {
  const context = await browser.newContext({ baseURL })
  try {
    const admin = { username: 'admin', password: 'admin-demo' }
    if (address !== '/login') await context.request.post('/login', { form: admin })
    const page = await context.newPage()
    if (shows) await page.addInitScript(SHOWN(shows))
    await page.goto(address)
    if (shows) await page.locator(shows).first().waitFor()
    return Number(await page.evaluate(shows ? 'performance.getEntriesByName("shown")[0].startTime' : LOADED))
  } finally {
    await context.close()
  }
}
