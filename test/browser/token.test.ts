import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { TOKEN_STATUSES } from '../../lib/contract/tokens.ts'
import { expectSound } from '../support/axe.ts'
import { BAD_TOKENS } from '../support/bad-tokens.ts'
import { claims, forge } from '../support/forge.ts'
import { REFUSED_ATTACKS } from '../support/token-attacks.ts'
import { describeInBrowser, open, REFUSED_CALLS, visit } from '../support/visit.ts'

const now = () => Math.floor(Date.now() / 1000)

const TOKENS: typeof BAD_TOKENS = [
  // The page leaves blanks out.
  ...BAD_TOKENS.filter(([, what]) => what !== 'spaces in it'),
  ['EXPIRED', 'a minute ago', () => forge(claims({ exp: now() - 60 }))],
  ['REVOKED', 'of an account that does not exist', () => forge(claims({ sub: 'nobody' }))],
  ['VALID', 'for an hour', () => forge(claims({ iat: now() }))],
]

describeInBrowser('the token lab', () => {
  const visiting = (run: (page: Page) => Promise<void>) => visit({ at: '/console/token', allow: REFUSED_CALLS }, run)

  const field = (page: Page) => page.getByRole('textbox', { name: 'Paste a token' })
  const verdict = (page: Page) => page.getByRole('region', { name: 'Verdict', exact: true })
  const claim = (page: Page, name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}(,|$)`) })
  const refusedSteps = (page: Page) => verdict(page).locator('li:has(use[href$="#bad"])').allInnerTexts()

  async function ask(page: Page): Promise<string> {
    await page.getByRole('button', { name: 'Ask the service' }).click()
    return serviceVerdict(page)
  }

  async function serviceVerdict(page: Page): Promise<string> {
    await verdict(page).getByText('says the service').waitFor()
    return verdict(page).locator('.note .badge').innerText()
  }

  it('shows every status of a token, and the check that refuses is the one that the service names', async () => {
    const seen = new Set<string>()
    await visiting(async (page) => {
      for (const [status, what, token] of TOKENS) {
        await field(page).fill('x')
        await field(page).fill(token())
        expect(await ask(page), what).toBe(status)
        const steps = await refusedSteps(page)
        expect(
          steps.map((text) => text.includes(status)),
          what,
        ).toEqual(status === 'VALID' ? [] : [true])
        seen.add(status)
      }
    })
    expect(seen).toEqual(new Set([...TOKEN_STATUSES, 'VALID']))
  })

  it('each attack is refused, in a step that names its code', async () => {
    await visiting(async (page) => {
      for (const [label, status] of REFUSED_ATTACKS) {
        await open(page, '/console/token')
        await page.getByRole('button', { name: label, exact: true }).click()
        await page.getByRole('button', { name: label, exact: true, pressed: true }).waitFor()
        expect(await serviceVerdict(page), label).toBe(status)
        expect(await refusedSteps(page), label).toEqual([
          expect.stringMatching(new RegExp(`${status}[^]*Refused in lib/auth/`)),
        ])
      }
    })
  })

  it('a changed claim breaks the signature, and the change can be undone', async () => {
    await visiting(async (page) => {
      await field(page).fill(forge(claims({ iat: now(), sub: 'jdbcuser', role: 'ROLE_USER' })))
      await claim(page, 'role').fill('ROLE_ADMIN')
      await claim(page, 'role').blur()
      await page.getByText('was ROLE_USER').waitFor()
      expect(await verdict(page).locator('.note .badge').innerText()).toBe('INVALID_SIGNATURE')
      expect(await ask(page)).toBe('INVALID_SIGNATURE')
      await page.getByRole('button', { name: 'Undo all changes' }).click()
      expect(await ask(page)).toBe('VALID')
    })
  })

  it('C02 a claim that changes the direction of text is shown by the codes of its characters', async () => {
    await visiting(async (page) => {
      await field(page).fill(forge(claims({ sub: '<b>\u202eevil</b>' })))
      await page.getByText('Reads <b>U+202Eevil</b>').waitFor()
      expect(await page.locator('main b', { hasText: 'evil' }).count()).toBe(0)
    })
  })

  it('C08 gets a token by a login, decodes it, and stores it nowhere', async () => {
    await visiting(async (page) => {
      await page.getByRole('combobox', { name: 'Token for: caller' }).selectOption('jdbcuser')
      await page.getByRole('button', { name: 'Log in for a token' }).click()
      await expect.poll(() => claim(page, 'sub').inputValue()).toBe('jdbcuser')
      await page.getByText('in 23 hours').waitFor()
      expect(await ask(page)).toBe('VALID')
      expect(
        await page.evaluate('[localStorage.length, sessionStorage.length, location.search + location.hash]'),
      ).toEqual([0, 0, ''])
    })
  })

  it('shows why there is no token', async () => {
    await visiting(async (page) => {
      await page.getByRole('combobox', { name: 'Token for: caller' }).selectOption('another user …')
      await page.getByRole('textbox', { name: 'User name' }).fill('admin')
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Use' }).click()
      await page.getByRole('button', { name: 'Log in for a token' }).click()
      await page.getByText('Invalid username or password (401).').waitFor()
    })
  })

  it('works by keyboard alone', async () => {
    await visiting(async (page) => {
      await page.getByRole('button', { name: 'Log in for a token' }).focus()
      for (let tabs = 0; tabs < 4; tabs += 1) await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      expect(await serviceVerdict(page)).toBe('UNSUPPORTED_ALGORITHM')
    })
  })

  it('axe finds no violation in any state, and 320 pixels are wide enough', async () => {
    await visiting(async (page) => {
      for (const token of [forge(), 'nonsense']) {
        await field(page).fill(token)
        await ask(page)
        await expectSound(page, 'main')
      }
    })
  })
})
