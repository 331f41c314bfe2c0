import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, inject, it } from 'vitest'
import { temporaryFolder } from '../support/stack.ts'
import { describeInBrowser, logIn, open, visit } from '../support/visit.ts'

const EVENT = {
  source: 'payment',
  eventId: 'evt_1',
  eventType: 'order.paid',
  status: 'PROCESSED',
  receivedAt: '2026-01-02T03:04:05.000',
}

describeInBrowser('home and login', () => {
  it.each([true, false])('login, home and logout work, with JavaScript: %s', async (javaScriptEnabled) => {
    await visit({ javaScriptEnabled }, async (page) => {
      await logIn(page)
      expect(new URL(page.url()).pathname).toBe('/')
      await page.getByRole('combobox', { name: 'Endpoint' }).selectOption('DELETE /api/users/{userId}')
      await page.getByRole('button', { name: 'Explain' }).click()
      await page.getByRole('row', { name: /^6 .* decides$/ }).waitFor()
      await page.getByRole('button', { name: 'Log out', exact: true }).click()
      await page.getByText('You are logged out.').waitFor()
    })
  })

  it.each([true, false])('a refusal has the focus, with JavaScript: %s', async (javaScriptEnabled) => {
    await visit({ javaScriptEnabled }, async (page) => {
      await logIn(page, 'admin', 'wrong')
      const alert = page.getByRole('alert')
      expect(await alert.innerText()).toContain('The login did not succeed.')
      expect(await page.locator('[role=alert]:focus').count()).toBe(1)
      expect(page.url()).toBe(`${inject('http')}/login?error`)
      expect(await page.getByRole('textbox', { name: 'User name' }).inputValue()).toBe('admin')
    })
  })

  it.each(['/', '/login'])('one click at %s logs a demo user in, without JavaScript', async (address) => {
    await visit({ at: address, javaScriptEnabled: false }, async (page) => {
      await page.getByRole('button', { name: 'user ROLE_USER' }).first().click()
      await page.getByRole('heading', { name: 'You are logged in as user.' }).waitFor()
      expect(await page.getByRole('button', { name: 'Log out', exact: true }).count()).toBe(1)
      await page.getByRole('button', { name: 'Log out everywhere' }).click()
      await page.getByText('You are logged out.').waitFor()
    })
  })

  it('an admin sees the latest events at home, and other users do not request them', async () => {
    await visit({}, async (page) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await open(page, '/')
      expect(asked).not.toContain('/api/webhooks/events')
      await page.route('**/api/webhooks/events?*', (route) => route.fulfill({ json: { events: [EVENT] } }))
      await page.getByRole('button', { name: 'admin ROLE_ADMIN' }).click()
      await page.getByRole('listitem').filter({ hasText: 'order.paid' }).getByText('Processed').waitFor()
    })
  })

  it('the remaining time of a session is counted down', async () => {
    await visit({}, async (page) => {
      await page.clock.install()
      await logIn(page)
      await page.getByText('in 29 minutes').waitFor()
      await page.clock.fastForward('10:00')
      await page.getByText('in 19 minutes').waitFor()
    })
  })

  it('a command is copied unchanged, and each of them works', async () => {
    const folder = temporaryFolder()
    await visit({ at: '/login', permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await page.getByText('Commands for a terminal').click()
      const commands = page.locator('[data-copy]')
      const labels = await commands.evaluateAll((all) => all.map((command) => command.getAttribute('data-copy')))
      expect(labels).toEqual(['JWT', 'HTTP Basic, database', 'HTTP Basic, directory', 'Session'])
      for (const label of labels) {
        await page.getByRole('button', { name: `Copy ${label}` }).click()
        await page.getByRole('button', { name: `Copied ${label}` }).waitFor()
        const command = String(await page.evaluate('navigator.clipboard.readText()'))
        const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder.path })
        expect(JSON.parse(stdout), command).toMatchObject(
          label?.startsWith('HTTP Basic') ? { users: expect.any(Array) } : { username: 'admin', authenticated: true },
        )
      }
    })
    folder.remove()
  })

  it('a demo provider works by keyboard alone', async () => {
    await visit({ at: '/oauth2/authorization/google', allow: /^elsewhere: / }, async (page) => {
      // Past the choice of an attack, to the first account.
      for (const key of ['Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
      await page.getByRole('heading', { name: 'You are logged in as Ada Admin.' }).waitFor()
      expect(await page.getByRole('banner').innerText()).toContain('Ada Admin')
    })
  })
})
