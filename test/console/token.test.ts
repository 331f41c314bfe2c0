import { randomBytes } from 'node:crypto'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOKEN_STATUSES } from '../../lib/contract/token-status.ts'
import { violationsOf } from '../support/axe.ts'
import { BAD_TOKENS } from '../support/bad-tokens.ts'
import { chromiumPath, launch } from '../support/chromium.ts'
import { claims, forge } from '../support/forge.ts'
import { serve } from '../support/served.ts'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'
import { butRefusals, open, visit } from '../support/visit.ts'

const path = chromiumPath()
const KEY = randomBytes(64).toString('base64url')
const now = () => Math.floor(Date.now() / 1000)

const TOKENS: typeof BAD_TOKENS = [
  ...BAD_TOKENS,
  ['EXPIRED', 'a minute ago', () => forge(claims({ exp: now() - 60 }))],
  ['VALID', 'for an hour', () => forge()],
]

describe.skipIf(path === undefined)('the page that takes tokens apart', () => {
  let stack: Stack
  let browser: Browser

  beforeAll(async () => {
    const JWT_KEYS = `test:${KEY}`
    stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory', JWT_KEYS })
    serve({ http: stack.ready.http, ready: stack.ready, jwtSecret: KEY })
    browser = await launch(path ?? '')
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.stop()
  })

  const visiting = (run: (page: Page) => Promise<void>, options: BrowserContextOptions = {}) =>
    visit(browser, { baseURL: stack.ready.http, ...options }, async (page) => {
      await open(page, '/console/token')
      await run(page)
    })

  async function paste(page: Page, token: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Or paste one' }).fill(token)
  }

  async function ask(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Ask the service' }).click()
    const badge = page.locator('.verification .badge')
    await badge.waitFor()
    return badge.innerText()
  }

  it('shows every status of a token, and is not shown any other', async () => {
    const seen = new Set<string>()
    const complaints = await visiting(async (page) => {
      for (const [status, what, token] of TOKENS) {
        await paste(page, 'x')
        await paste(page, token())
        expect(await ask(page), what).toBe(status)
        seen.add(status)
      }
    })
    // A call that reads does not look at the account.
    const shown = TOKEN_STATUSES.filter((status) => status !== 'REVOKED')
    expect(seen).toEqual(new Set([...shown, 'VALID']))
    expect(butRefusals(complaints)).toEqual([])
  })

  it('C08 takes a token by a login, reads it, and keeps it nowhere', async () => {
    const complaints = await visiting(async (page) => {
      await page.getByRole('combobox', { name: 'Take mine: who' }).selectOption('jdbcuser (ROLE_USER)')
      await page.getByRole('button', { name: 'Log in for a token' }).click()
      await page.getByRole('row', { name: /^sub "jdbcuser" / }).waitFor()
      await page.getByRole('row', { name: /^exp \d+ .* in 23 hours/ }).waitFor()
      expect(await ask(page)).toBe('VALID')
      expect(
        await page.evaluate('[localStorage.length, sessionStorage.length, location.search + location.hash]'),
      ).toEqual([0, 0, ''])
    })
    expect(complaints).toEqual([])
  })

  it('says why there is no token', async () => {
    await visiting(async (page) => {
      await page.getByRole('combobox', { name: 'Take mine: who' }).selectOption('somebody else…')
      await page.getByRole('textbox', { name: 'Take mine: user name' }).fill('admin')
      await page.getByLabel('Take mine: password').fill('wrong')
      await page.getByRole('button', { name: 'Log in for a token' }).click()
      await page.getByText('Invalid username or password (401).').waitFor()
    })
  })

  it('counts down to the end', async () => {
    await visiting(async (page) => {
      await page.clock.install({ time: '2026-01-02T03:04:05Z' })
      await page.reload()
      await paste(page, forge(claims({ exp: Date.parse('2026-01-02T04:04:05Z') / 1000 })))
      await page.getByText('Ends in 01:00:00').waitFor()
      await page.clock.fastForward('59:58')
      await page.getByText('Ends in 00:00:02').waitFor()
      await page.clock.fastForward('00:02')
      await page.getByText('Its time is over').waitFor()
    })
  })

  it.each(['light', 'dark'] as const)('axe finds nothing wrong in %s colours', async (colorScheme) => {
    await visiting(
      async (page) => {
        for (const [, what, token] of [TOKENS[1], TOKENS.at(-1), TOKENS.at(-2)].flatMap((row) => (row ? [row] : []))) {
          await paste(page, token())
          await ask(page)
          expect(await violationsOf(page), what).toEqual([])
        }
      },
      { colorScheme },
    )
  })

  it('is not wider than a screen of 320 pixels', async () => {
    await visiting(
      async (page) => {
        await paste(page, forge())
        await ask(page)
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320)
      },
      { viewport: { width: 320, height: 640 } },
    )
  })
})
