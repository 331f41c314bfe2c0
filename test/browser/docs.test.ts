import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { OPERATIONS_ID } from '../../lib/contract/console.ts'
import { tokenOf } from '../support/accounts.ts'
import { expectSound, SIZES } from '../support/axe.ts'
import { describeInBrowser, REFUSED_CALLS, visit } from '../support/visit.ts'

describeInBrowser('the API reference', () => {
  /** Opens the form of an operation. */
  async function tryIt(page: Page, name: string) {
    const section = page.locator(`#${name}`)
    await section.getByRole('button', { name: /^Try it/ }).click()
    const form = section.locator('form')
    await form.getByLabel('Call as').waitFor()
    return form
  }

  it('is linked in the menu of each page, and links back in its menu', async () => {
    await visit({ at: '/console/playground' }, async (page) => {
      await page.getByRole('navigation').getByRole('link', { name: 'API reference' }).click()
      await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor()
      expect(await page.getByRole('link', { name: 'API reference' }).getAttribute('aria-current')).toBe('page')
      await page
        .locator('#adminSecure')
        .getByRole('link', { name: /Auth lab/ })
        .click()
      await page.waitForURL('**/console/playground')
    })
  })

  it('opens at the operation of its address', async () => {
    await visit({ at: '/docs#webhookCounts' }, async (page) => {
      expect(await isInView(page, '#webhookCounts h3')).toBe(true)
      expect(await isInView(page, '#publicHello h3')).toBe(false)
    })
  })

  it('shows the operations that have each word of a search, as one types', async () => {
    await visit({ at: '/docs' }, async (page) => {
      const shown = async () => {
        await page
          .getByRole('status')
          .getByText(/^\d+ of \d+$/)
          .waitFor()
        return page.locator('.operation h3:visible').allInnerTexts()
      }
      const search = page.getByRole('searchbox', { name: 'Search the operations' })
      await search.fill('passkey DELETE')
      expect(await shown()).toEqual([
        'Delete a user of the database',
        'Remove a passkey of an account',
        'Remove one of your passkeys',
      ])
      expect(await page.locator('.contents a:visible').count()).toBe(3)
      expect(await page.locator('.reference h2:visible').allInnerTexts()).toEqual([
        'Users',
        'Passkeys',
        'Users',
        'Passkeys',
      ])
      await search.fill('passkey <img> delete')
      await page.getByRole('status').getByText('0 of').waitFor()
      expect(await page.locator('.reference :is(a, h2):visible').count()).toBe(0)
      await search.fill('')
      await page.locator('#publicHello').waitFor()
      expect(await page.getByRole('status').innerText()).toBe('')
    })
  })

  it('a search works on a phone, and axe finds no violation in what it shows', async () => {
    await visit({ at: '/docs', viewport: { width: 320, height: 640 } }, async (page) => {
      await page.getByRole('searchbox', { name: 'Search the operations' }).fill('trackingNumber')
      await page.getByRole('status').getByText(/^1 of/).waitFor()
      expect(await isInView(page, '#webhookOrderStatus h3')).toBe(true)
      await expectSound(page)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    })
  })

  it('has the pages in a group of their own, and links the description of the channels', async () => {
    await visit({ at: '/docs' }, async (page) => {
      const paths = async (group: string) =>
        page.locator(`section[aria-labelledby="${group}"] .index code`).allInnerTexts()
      expect(await paths('group-pages')).toEqual(['/', '/login', '/console/{page}', '/assets/{name}'])
      expect(await paths('group-login')).not.toContain('/console/{page}')
      const channels = page.getByRole('link', { name: 'AsyncAPI' })
      const answer = await page.request.get(String(await channels.getAttribute('href')))
      expect((await answer.json()).asyncapi).toMatch(/^3/)
      await page.getByText(/^channel, what it carries/).click()
      await page.getByRole('cell', { name: '/topic/webhooks', exact: true }).waitFor()
    })
  })

  it('is complete without JavaScript', async () => {
    await visit({ at: '/docs', javaScriptEnabled: false }, async (page) => {
      await page.getByRole('link', { name: 'DELETE /api/users/{userId}', exact: true }).first().click()
      await page.getByRole('heading', { name: 'Delete a user of the database' }).waitFor()
      const section = page.locator('#usersDelete')
      await section.getByText(/^Errors: /).click()
      await section.getByText('"failedCondition": "hasRole(\'ADMIN\')"').waitFor()
      expect(await page.getByRole('button', { name: /^Try it/ }).count()).toBe(0)
    })
  })

  it('C09 calls no other host, whatever its address', async () => {
    const elsewhere = encodeURIComponent('https://evil.example/openapi.json')
    await visit({ at: `/docs?url=${elsewhere}&configUrl=${elsewhere}` }, async (page) => {
      expect(await page.locator('.operation').count()).toBeGreaterThan(50)
    })
  })

  it('calls with the session, and sends the CSRF token with a change', async () => {
    await visit({ at: '/docs', as: 'admin' }, async (page) => {
      const reading = await tryIt(page, 'adminSecure')
      await reading.getByRole('button', { name: 'Send' }).click()
      await reading.getByText('200', { exact: true }).waitFor()
      const changing = await tryIt(page, 'usersCreate')
      await changing.getByRole('button', { name: 'Send' }).click()
      await changing.getByText('201', { exact: true }).waitFor()
      await changing.getByRole('status').getByText('"username": "ada"').waitFor()
    })
  })

  it('accepts a pasted token, a name with its password, and an API key', async () => {
    const token = await tokenOf('admin')
    await visit({ at: '/docs', allow: REFUSED_CALLS }, async (page) => {
      const form = await tryIt(page, 'webhookEvents')
      const send = async (status: string) => {
        await form.getByRole('button', { name: 'Send' }).click()
        await form.getByText(status, { exact: true }).waitFor()
      }
      await form.getByLabel('Call as').selectOption('Bearer token')
      await form.getByLabel('Token').fill(`Bearer ${token.slice(0, 20)} ${token.slice(20)}`)
      await send('200')
      await form.getByLabel('Call as').selectOption('API key')
      await form.getByLabel('API key').fill('ghk_unknown')
      await send('401')
      await form.getByLabel('Call as').selectOption('HTTP Basic')
      await form.getByLabel('User name').fill('jdbcadmin')
      await form.getByLabel('Password').fill('jdbcadmin-demo')
      await send('200')
      const other = await tryIt(page, 'userSecure')
      await other.getByRole('button', { name: 'Send' }).click()
      await other.getByText('"user": "jdbcadmin"').waitFor()
    })
  })

  it('reports a key that is invalid in a header', async () => {
    await visit({ at: '/docs' }, async (page) => {
      const form = await tryIt(page, 'webhookEvents')
      await form.getByLabel('Call as').selectOption('API key')
      await form.getByLabel('API key').fill('key with a ☂')
      await form.getByRole('button', { name: 'Send' }).click()
      await form.getByText('This call holds characters that cannot be sent.').waitFor()
    })
  })

  it('works by keyboard alone', async () => {
    await visit({ at: '/docs#publicHello' }, async (page) => {
      await page.locator('#publicHello h3 a').focus()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.locator('#try-publicHello').waitFor()
      await page.locator('#publicHello-as:focus').waitFor()
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.locator('#try-publicHello').getByText('200', { exact: true }).waitFor()
    })
  })

  it('axe finds no violation in it, nor in an operation with all parts open, and 320 pixels are wide enough', async () => {
    const openAll = (within: string) =>
      `for (const each of document.querySelectorAll('${within} details')) each.open = true`
    await visit({ at: '/docs', allow: REFUSED_CALLS }, async (page) => {
      // Its sixty operations are alike: one of them is looked at in each size.
      await expectSound(page, 'html', SIZES.slice(0, 1))
      const form = await tryIt(page, 'usersCreate')
      await form.getByRole('button', { name: 'Send' }).click()
      await form.getByText('401', { exact: true }).waitFor()
      await page.evaluate(openAll('#usersCreate'))
      await expectSound(page, '#usersCreate')
      await page.setViewportSize({ width: 320, height: 640 })
      await page.evaluate(openAll('#content'))
      const widths =
        "[document.documentElement, ...document.querySelectorAll('.scroll')].map((each) => each.scrollWidth)"
      expect(Math.max(...((await page.evaluate(widths)) as number[]))).toBeLessThanOrEqual(320)
    })
  })

  it('has a form for each operation that a script can call, and a link for each page', async () => {
    await visit({ at: '/docs' }, async (page) => {
      const text = await page.locator(`#${OPERATIONS_ID}`).textContent()
      expect(await page.getByRole('button', { name: /^Try it/ }).count()).toBe(JSON.parse(text ?? '[]').length)
      await page.locator('#loginPage').getByRole('link', { name: 'Open the page' }).click()
      await page.waitForURL('**/login')
    })
  })
})

function isInView(page: Page, selector: string): Promise<unknown> {
  return page.evaluate(
    `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector('${selector}').getBoundingClientRect())`,
  )
}
