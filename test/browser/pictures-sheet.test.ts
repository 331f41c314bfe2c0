import { writeFileSync } from 'node:fs'
import { env } from 'node:process'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { SCRIPT_PAGES } from '../../lib/contract/console.ts'
import { seed } from '../support/seed.ts'
import { open, type Visit, visit } from '../support/visit.ts'

/** Only `npm run pictures` takes them, like the pictures of docs/console.md. */
const isWanted = env['PICTURES'] !== undefined

const SCREENS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const

/** The height of a picture on the sheet, in pixels. */
const SHOWN = 300

/** Pages for everybody, by the address that leads to them. */
const OPEN = {
  'home, nobody logged in': '/',
  login: '/login',
  'a refused login': '/login?error&returnTo=/console/webhooks',
  'the login page of a provider': '/oauth2/authorization/google',
  'no such page': '/nope',
  'the wrong method': '/api/auth/login',
}

const TABS = ['overview', 'payload', 'headers', 'attempts', 'deliveries', 'proof']

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

describe.skipIf(!isWanted).each(['light', 'dark'] as const)('the %s contact sheet', (colorScheme) => {
  const rows: string[] = []

  beforeAll(async () => {
    await seed(inject('http'))
    await fetch(`${inject('http')}/webhooks/stripe`, { method: 'POST', body: '{}' })
  })

  const visiting = (run: (page: Page) => Promise<void>, options: Visit = {}) =>
    visit({ allow: /./, colorScheme, reducedMotion: 'reduce', viewport: SCREENS[0], ...options }, run)

  /** Adds a page in every width as a row of the sheet. */
  async function add(page: Page, title: string, address: string): Promise<void> {
    const images: string[] = []
    for (const viewport of SCREENS) {
      await page.setViewportSize(viewport)
      await open(page, address)
      const taken = await page.screenshot({ type: 'jpeg', quality: 85, animations: 'disabled' })
      images.push(`<img height="${SHOWN}" src="data:image/jpeg;base64,${taken.toString('base64')}">`)
    }
    rows.push(`<section><h2>${escaped(title)}</h2>${images.join('')}</section>`)
  }

  it('has every page, in three widths', async () => {
    await visiting(async (page) => {
      for (const [title, address] of Object.entries(OPEN)) await add(page, title, address)
    })
    await visiting(
      async (page) => {
        await page.locator('tbody a').first().click()
        await page.locator('.pane').waitFor()
        const event = page.url().slice(inject('http').length)
        await add(page, 'home', '/?endpoint=adminSecure')
        for (const name of SCRIPT_PAGES) await add(page, name, `/console/${name}`)
        for (const tab of TABS) await add(page, `an event: ${tab}`, `${event}&tab=${tab}`)
        await add(page, 'API reference', '/docs')
      },
      { at: '/console/webhooks?status=FAILED', as: 'admin' },
    )
    expect(rows).toHaveLength(Object.keys(OPEN).length + 1 + SCRIPT_PAGES.length + TABS.length + 1)

    await visiting(async (page) => {
      await page.setViewportSize({ width: 2200, height: 1000 })
      await page.setContent(sheetOf(rows, colorScheme), { waitUntil: 'load' })
      const sheet = await page.screenshot({ type: 'jpeg', quality: 70, fullPage: true })
      writeFileSync(`docs/pictures/contact-sheet-${colorScheme}.jpg`, sheet)
    })
  })
})

function sheetOf(rows: readonly string[], scheme: 'light' | 'dark'): string {
  const [ink, paper] = scheme === 'light' ? ['#111', '#ddd'] : ['#eee', '#333']
  return `<!doctype html><style>
    body { margin: 20px; background: ${paper}; color: ${ink}; font: 14px sans-serif; display: grid; gap: 20px; grid-template-columns: 1fr 1fr }
    h2 { font-size: 14px; margin: 0 0 6px }
    img { margin-right: 8px; vertical-align: top }
  </style>${rows.join('')}`
}
