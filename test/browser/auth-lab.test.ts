import { execFile } from 'node:child_process'
import { delimiter, resolve } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, inject, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { callAsUsers, cell, expectAsDocumented, inspector, LAB, runAll } from '../support/auth-lab.ts'
import { expectSound } from '../support/axe.ts'
import { temporaryFolder } from '../support/stack.ts'
import { REFUSED_ATTACKS } from '../support/token-attacks.ts'
import { describeInBrowser, open, REFUSED_CALLS, type Visit, visit } from '../support/visit.ts'

describeInBrowser('the auth lab', () => {
  const visiting = (options: Visit, run: (page: Page) => Promise<void>) =>
    visit({ at: LAB, allow: REFUSED_CALLS, ...options }, run)

  it('finds every endpoint as documented for admins', () =>
    visiting({ as: 'jdbcadmin' }, (page) => expectAsDocumented(page, 'default')))

  it('finds every endpoint as documented for users', () =>
    visiting({ as: 'jdbcuser' }, async (page) => {
      await callAsUsers(page)
      await expectAsDocumented(page, 'default')
    }))

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

  it.each(['GET /api/admin/secure, JWT', 'POST /api/users, Basic DB'])(
    'leads from %s to its operation in the API reference',
    async (name) => {
      await visiting({}, async (page) => {
        await cell(page, name).click()
        await inspector(page).getByRole('link', { name: 'This endpoint in the API reference' }).click()
        await page
          .locator('section:target')
          .getByText(name.split(/[ ,]/)[1] ?? '')
          .first()
          .waitFor()
      })
    },
  )

  it('shows each check of a decision as a step, up to the one that refuses', async () => {
    await visiting({}, async (page) => {
      await page.getByRole('combobox', { name: 'Basic LDAP: caller' }).selectOption('ldapuser')
      await cell(page, 'POST /api/users, Basic LDAP').click()
      await inspector(page).getByText('403 as documented').waitFor()
      expect(await inspector(page).getByRole('listitem').allInnerTexts()).toEqual([
        expect.stringMatching(/^Credentials the password fits a user of the directory\s+passed$/),
        expect.stringMatching(/^Role the caller has ROLE_USER\s+ROLE_ADMIN: 403$/),
        expect.stringMatching(/^Permission\s+not reached$/),
        expect.stringMatching(/^Input\s+not reached$/),
      ])
    })
  })

  it('moves no cell by a click, and closes an opened cell with Back', async () => {
    await visiting({ viewport: { width: 1440, height: 900 } }, async (page) => {
      const target = cell(page, 'GET /api/user/secure, JWT')
      const before = await target.boundingBox()
      await target.click()
      await inspector(page).getByText('200 as documented').waitFor()
      expect(await target.boundingBox()).toEqual(before)
      expect(new URL(page.url()).search).toBe('?open=userSecure.bearer')
      await page.goBack()
      await page.getByRole('heading', { name: 'Nothing is open' }).waitFor()
      expect(await target.boundingBox()).toEqual(before)
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

  it.each<readonly [string, string | undefined]>([...REFUSED_ATTACKS, ['No CSRF token', undefined]])(
    '%s is refused as documented: %s',
    async (label, tokenStatus) => {
      const message = tokenStatus === 'EXPIRED' ? 'JWT token has expired' : 'Invalid or expired JWT token'
      const documented = tokenStatus ? `401 · ${message} · ${tokenStatus}` : '403 · Invalid CSRF token'
      await visiting({ as: 'admin' }, async (page) => {
        await page.getByRole('button', { name: label, exact: true }).click()
        await inspector(page).getByText(`${documented} as documented`, { exact: true }).waitFor()
        const [refused, ...others] = await inspector(page).locator('li:has(use[href$="#bad"])').allInnerTexts()
        expect(others).toEqual([])
        expect(refused).toContain(tokenStatus ?? 'CSRF token')
      })
    },
  )

  it('calls as another user without moving the other callers', async () => {
    await visiting({ as: 'admin', viewport: { width: 1440, height: 900 } }, async (page) => {
      const other = page.getByRole('combobox', { name: 'Basic DB: caller' })
      const before = await other.boundingBox()
      const caller = page.getByRole('combobox', { name: 'JWT: caller' })
      await caller.selectOption('somebody else …')
      const dialog = page.getByRole('dialog', { name: 'JWT: somebody else' })
      await dialog.waitFor()
      expect(await other.boundingBox()).toEqual(before)
      await page.keyboard.press('Escape')
      expect(await caller.inputValue()).toBe('0')
      await caller.selectOption('somebody else …')
      await dialog.getByRole('textbox', { name: 'User name' }).fill('jdbcuser')
      await dialog.getByLabel('Password').fill('jdbcuser-demo')
      await dialog.getByRole('combobox', { name: 'Role' }).selectOption('ROLE_USER')
      await dialog.getByRole('button', { name: 'Use' }).click()
      await cell(page, 'GET /api/admin/secure, JWT').click()
      await inspector(page).getByText('403 as documented').waitFor()
      await inspector(page).getByText('JWT as jdbcuser').waitFor()
    })
  })

  it('reports the end of the session while it is open', async () => {
    await visiting({ as: 'admin' }, async (page) => {
      await page.context().clearCookies()
      await cell(page, 'GET /api/auth/info, Session').click()
      await page.getByText('Your session has ended.').waitFor()
      await inspector(page).getByText('401, documented is 200').waitFor()
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
      const bin = `${resolve('node_modules/.bin')}${delimiter}${env['PATH']}`
      const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('npx ', '')], {
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
      await runAll(page)
      await expectSound(page, 'called')
      await cell(page, 'GET /api/admin/secure, JWT').click()
      await inspector(page).getByText('200 as documented').waitFor()
      await expectSound(page, 'a call')
      await page.getByRole('button', { name: 'Cut it off' }).click()
      await inspector(page).getByText('MALFORMED as documented').waitFor()
      await expectSound(page, 'an attack')
      await page.getByRole('link', { name: 'All profiles' }).click()
      await page.getByRole('button', { name: 'Only differences' }).click()
      await expectSound(page, 'profiles')
      await page.getByRole('button', { name: 'STOMP and gRPC …' }).click()
      await page.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByText('sent back: hello').waitFor()
      await expectSound(page, 'channels')
    })
  })
})
