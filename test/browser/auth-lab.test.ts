import { execFile } from 'node:child_process'
import { delimiter, resolve } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { ROUTES } from '../../lib/contract/gen/endpoints.ts'
import { tokenOf } from '../support/accounts.ts'
import { expectSound } from '../support/axe.ts'
import { temporaryFolder } from '../support/stack.ts'
import { REFUSED_ATTACKS } from '../support/token-attacks.ts'
import { describeInBrowser, open, REFUSED_CALLS, type Visit, visit } from '../support/visit.ts'

const LAB = '/console/playground'

const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' })

/** A cell by its call: `GET /api/admin/secure, JWT`. */
const cell = (page: Page, name: string) => page.getByRole('link', { name: new RegExp(`: ${RegExp.escape(name)}$`) })

/** The button of each attack, what is documented, and the step that refuses. */
const ATTACKS = [
  ...REFUSED_ATTACKS.map(([label, status]) => {
    const message = status === 'EXPIRED' ? 'JWT token has expired' : 'Invalid or expired JWT token'
    return [label, `401 · ${message} · ${status}`, status] as const
  }),
  ['No CSRF token', '403 · Invalid CSRF token', 'CSRF token'] as const,
]

/** Each of 75 functions is loaded at its first call: half a minute, on a busy machine more. */
const LONG = 180_000

/** None, JWT, Basic with either store, and session. */
const WAYS = 5

/** Calls each endpoint in each way. */
async function expectAsDocumented(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run all' }).click()
  const summary = page.getByText(/^\d+ of \d+ as documented$/)
  await summary.waitFor({ timeout: LONG })
  const total = WAYS * Object.values(ROUTES).filter(({ path }) => path.startsWith('/api/')).length
  const wrong = await page.locator('.cell[data-tone=bad]').allInnerTexts()
  expect(await summary.innerText(), String(wrong)).toBe(`${total} of ${total} as documented`)
}

describeInBrowser('the auth lab', () => {
  const visiting = (options: Visit, run: (page: Page) => Promise<void>) =>
    visit({ at: LAB, allow: REFUSED_CALLS, ...options }, run)

  it('finds every endpoint as documented for admins', { timeout: LONG }, () =>
    visiting({ as: 'jdbcadmin' }, async (page) => {
      await expectAsDocumented(page)
      await expectSound(page)
    }),
  )

  it('finds every endpoint as documented for users', { timeout: LONG }, () =>
    visiting({ as: 'jdbcuser' }, async (page) => {
      for (const who of await page.getByRole('combobox').all()) {
        const user = (await who.locator('option').allInnerTexts()).find((option) => option.endsWith('user'))
        if (user !== undefined) await who.selectOption(user)
      }
      await expectAsDocumented(page)
    }),
  )

  it('shows the rules of the endpoints of other profiles, and states that it did not call them', async () => {
    await visiting({}, async (page) => {
      await page.getByRole('link', { name: 'All profiles' }).click()
      await page.getByRole('button', { name: 'JWT', exact: true }).click()
      const answers = { default: 200, jwt: 200, jdbc: 401, ldap: 401, oauth2: 401 }
      for (const [other, status] of Object.entries(answers)) {
        const name = `${status} expected: GET /api/auth/info, JWT, profile ${other}`
        expect(await page.getByRole('link', { name, exact: true }).count(), name).toBe(1)
      }
      await cell(page, 'GET /api/auth/info, JWT, profile jdbc').click()
      await inspector(page).getByText('401 expected, not called').waitFor()
      await inspector(page).getByText('PROFILE=jdbc npm start').waitFor()
      await cell(page, 'GET /api/auth/info, JWT, profile default').click()
      await inspector(page).getByText('200 as documented').waitFor()
    })
  })

  it('shows the request and the answer, and copies an equivalent command', async () => {
    const folder = temporaryFolder()
    const sh = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: folder.path })
    await sh(`curl -s -c cookies.txt ${inject('http')}/login -d username=admin -d password=admin-demo`)
    await visiting({ as: 'admin', permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      for (const [name, status] of [
        ['GET /api/public/hello, None', 200],
        ['POST /api/auth/login, None', 200],
        ['GET /api/admin/secure, JWT', 200],
        ['GET /api/ldap/users, Basic LDAP', 200],
        ['GET /api/ldap/users, Basic DB', 401],
        ['POST /api/users, Session', 400],
        ['DELETE /api/users/{userId}, Session', 404],
      ] as const) {
        await cell(page, name).click()
        await inspector(page).getByText(`${status} as documented`).waitFor()
        await page.getByRole('button', { name: 'Copy the request as curl' }).click()
        await page.getByRole('button', { name: 'Copied the request as curl' }).waitFor()
        const command = String(await page.evaluate('navigator.clipboard.readText()'))
        expect((await sh(command)).stdout, command).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      }
    })
    folder.remove()
  })

  it('leads from a cell to its operation in the API reference', async () => {
    await visiting({}, async (page) => {
      await cell(page, 'POST /api/users, Basic DB').click()
      await inspector(page).getByRole('link', { name: 'This endpoint in the API reference' }).click()
      await page.locator('section:target').getByText('/api/users').first().waitFor()
    })
  })

  it('opens the cell of its address without a call', async () => {
    await visiting({ at: '/' }, async (page) => {
      const called: string[] = []
      page.on('request', (request) => called.push(new URL(request.url()).pathname))
      await open(page, `${LAB}?open=adminSecure.none`)
      await inspector(page).getByText('401 expected').waitFor()
      expect(called).not.toContain('/api/admin/secure')
      await inspector(page).getByRole('button', { name: 'Send' }).click()
      await inspector(page).getByText('401 as documented').waitFor()
    })
  })

  it('refuses each attack as documented, in one step', async () => {
    await visiting({ as: 'admin' }, async (page) => {
      for (const [label, documented, step] of ATTACKS) {
        await open(page, LAB)
        await page.getByRole('button', { name: label, exact: true }).click()
        await inspector(page).getByText(`${documented} as documented`, { exact: true }).waitFor()
        const refused = await inspector(page).locator('li:has(use[href$="#bad"])').allInnerTexts()
        expect(refused, label).toEqual([expect.stringContaining(step)])
      }
    })
  })

  it('calls as another user', async () => {
    await visiting({ as: 'admin' }, async (page) => {
      const caller = page.getByRole('combobox', { name: 'JWT: caller' })
      await caller.selectOption('another user …')
      const dialog = page.getByRole('dialog', { name: 'JWT: another user' })
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      expect(await caller.inputValue()).toBe('0')
      await caller.selectOption('another user …')
      await dialog.getByRole('textbox', { name: 'User name' }).fill('jdbcuser')
      await dialog.getByLabel('Password').fill('jdbcuser-demo')
      await dialog.getByRole('combobox', { name: 'Role' }).selectOption('ROLE_USER')
      await dialog.getByRole('button', { name: 'Use' }).click()
      await cell(page, 'GET /api/admin/secure, JWT').click()
      await inspector(page).getByText('403 as documented').waitFor()
      await inspector(page).getByText('JWT as jdbcuser').waitFor()
    })
  })

  it('accepts the token over STOMP, and shows the refusal of a changed one', async () => {
    await visiting({}, async (page) => {
      await page.getByRole('button', { name: 'STOMP and gRPC …' }).click()
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByText('sent back: hello').waitFor()
      await page.getByRole('button', { name: 'Connect with a changed signature' }).click()
      await page.getByText('token-status:INVALID_SIGNATURE').waitFor()
    })
  })

  it('shows the gRPC port in a command that works', async () => {
    const { grpc } = inject('ready')
    await visiting({}, async (page) => {
      await page.getByRole('button', { name: 'STOMP and gRPC …' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(`-plaintext -H "authorization: Bearer $TOKEN" ${grpc} `).waitFor()
      const command = await dialog.getByRole('region', { name: 'the call with npm' }).locator('pre').innerText()
      const bin = `${resolve('quality/node_modules/.bin')}${delimiter}${env['PATH']}`
      const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('npx @bufbuild/', '')], {
        env: { ...env, PATH: bin, TOKEN: await tokenOf('admin') },
      })
      expect(JSON.parse(stdout)).toMatchObject({ username: 'admin' })
    })
  })

  it('works by keyboard alone', async () => {
    await visiting({ viewport: { width: 1440, height: 900 } }, async (page) => {
      await page.getByRole('link', { name: 'All profiles' }).focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      for (const key of [
        'ArrowDown',
        'ArrowDown',
        'ArrowDown',
        'ArrowDown',
        'ArrowRight',
        'ArrowLeft',
        'ArrowLeft',
        'ArrowUp',
      ])
        await page.keyboard.press(key)
      await page.keyboard.press('Enter')
      await inspector(page).getByText('401 as documented').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { name: 'Nothing is open' }).waitFor()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await inspector(page).getByText('200 as documented').waitFor()
    })
  })

  it('axe finds no violation in any state, and 320 pixels are wide enough', async () => {
    await visiting({}, async (page) => {
      await cell(page, 'GET /api/admin/secure, JWT').click()
      await inspector(page).getByText('200 as documented').waitFor()
      await expectSound(page, '.pane')
      await page.getByRole('button', { name: 'Cut it off' }).click()
      await inspector(page).getByText('MALFORMED as documented').waitFor()
      await expectSound(page, '.pane')
      await page.getByRole('link', { name: 'All profiles' }).click()
      await page.getByRole('button', { name: 'Only differences' }).click()
      await expectSound(page, 'main')
      await page.getByRole('button', { name: 'STOMP and gRPC …' }).click()
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByText('sent back: hello').waitFor()
      await expectSound(page, 'dialog')
    })
  })
})
