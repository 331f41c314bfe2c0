import { expect, inject, it } from 'vitest'
import { expectSound } from '../support/axe.ts'
import { describeInBrowser, visit } from '../support/visit.ts'

describeInBrowser('http-41 the page of the lab', () => {
  it('shows without JavaScript what a client did. Clients of every fault: test/api/lab.test.ts', async () => {
    const headers = { 'x-client-name': 'reader', authorization: 'Bearer a.b.c' }
    for (let call = 0; call < 4; call++) await fetch(`${inject('http')}/lab/revoked/api/auth/info`, { headers })
    await visit({ at: '/lab', javaScriptEnabled: false }, async (page) => {
      const report = page.getByRole('region', { name: 'reader' })
      await report.getByText('revoked', { exact: true }).click()
      expect(await report.locator('summary .badge').count()).toBe(1)
      expect(await report.getByText('GET /api/auth/info').first().isVisible()).toBe(true)
    })
  })

  it.each([
    ['the menu', '/console/webhooks', 'navigation'],
    ['the reference', '/docs', 'navigation'],
    ['the home page', '/', 'main'],
  ] as const)('is linked by %s, and has the menu of the console', async (_, at, role) => {
    await visit({ at, as: 'admin' }, async (page) => {
      await page.getByRole(role).getByRole('link', { name: 'Test your client' }).first().click()
      await page.getByRole('heading', { name: 'Test your client' }).waitFor()
      await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Events' }).click()
      await page.getByRole('heading', { name: 'Events' }).waitFor()
    })
  })

  it('has no axe violation, and shows the base URL of a fault in the form that a client needs', async () => {
    await visit({ at: '/lab' }, async (page) => {
      await page.locator('summary').last().click()
      await expectSound(page)
      expect(await page.getByText(`${inject('http')}/lab/too-many`, { exact: true }).count()).toBe(1)
    })
  })
})
