import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { TOKEN_STATUSES } from '../../lib/contract/token-status.ts'
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

  it('the page alone reaches the verdict of the service, except for signature and account', async () => {
    await visiting(async (page) => {
      const known = TOKENS.filter(([status]) => !['MISSING', 'INVALID_SIGNATURE', 'REVOKED', 'VALID'].includes(status))
      for (const [status, what, token] of known) {
        await field(page).fill(token())
        await verdict(page).getByText('by what the page can check').waitFor()
        expect(await verdict(page).locator('.note .badge').innerText(), what).toBe(status)
      }
      await field(page).fill(forge())
      await verdict(page).getByText('The page finds nothing wrong.').waitFor()
      expect(await verdict(page).getByText('ask the service', { exact: true }).count()).toBe(2)
    })
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

  it.each([
    ['the name of the header', (token: string) => `Authorization: bearer  ${token}\n`, 'Authorization, Bearer'],
    ['quotes', (token: string) => `"${token}"`, 'quotes'],
    ['line breaks and spaces', (token: string) => token.replace('.', ' .\n'), 'line breaks and blanks'],
  ])('accepts a pasted token with %s', async (_, around, leftOut) => {
    await visiting(async (page) => {
      await field(page).fill(around(forge(claims({ iat: now() }))))
      await page.getByText(`Left out: ${leftOut}.`, { exact: true }).waitFor()
      expect(await ask(page)).toBe('VALID')
    })
  })

  it('explains why a token cannot be sent, and shows its content', async () => {
    await visiting(async (page) => {
      await field(page).fill('a.\u202eb\u2713.c')
      await verdict(page).getByText('MALFORMED').first().waitFor()
      await page.getByRole('button', { name: 'Ask the service' }).click()
      await page.getByText('no HTTP header can carry all of its characters').waitFor()
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

  it('a changed header takes precedence over the signature, and a removed claim is named', async () => {
    await visiting(async (page) => {
      await field(page).fill(forge())
      await claim(page, 'alg').fill('none')
      await claim(page, 'alg').blur()
      await verdict(page).getByText('UNSUPPORTED_ALGORITHM').first().waitFor()
      await page.getByRole('button', { name: 'Undo all changes' }).click()
      await page.getByRole('button', { name: 'Remove role' }).click()
      await page.getByText('Removed: role').waitFor()
      expect(await ask(page)).toBe('INVALID_SIGNATURE')
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
      await page.getByRole('combobox', { name: 'Token for: caller' }).selectOption('somebody else …')
      await page.getByRole('textbox', { name: 'User name' }).fill('admin')
      await page.getByLabel('Password').fill('wrong')
      await page.getByRole('button', { name: 'Use' }).click()
      await page.getByRole('button', { name: 'Log in for a token' }).click()
      await page.getByText('Invalid username or password (401).').waitFor()
    })
  })

  it('counts down to the expiry', async () => {
    await visiting(async (page) => {
      await page.clock.install({ time: '2026-01-02T03:04:05Z' })
      await page.reload()
      await field(page).fill(forge(claims({ exp: Date.parse('2026-01-02T04:04:05Z') / 1000 })))
      await page.getByText('Ends in 01:00:00').waitFor()
      await page.clock.fastForward('59:58')
      await page.getByText('Ends in 00:00:02').waitFor()
      await page.clock.fastForward('00:02')
      await page.getByText('Its time is over.').waitFor()
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
