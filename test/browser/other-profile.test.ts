import { afterAll, beforeAll, expect, it } from 'vitest'
import { callAsUsers, cell, expectAsDocumented, inspector, LAB } from '../support/auth-lab.ts'
import { expectSound } from '../support/axe.ts'
import { INBOX } from '../support/inbox.ts'
import { serve } from '../support/served.ts'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'
import { describeInBrowser, REFUSED_CALLS, visit } from '../support/visit.ts'

describeInBrowser('the console of a service in profile ldap, which has no events yet', () => {
  let stack: Stack | undefined

  beforeAll(async () => {
    const others = { PROFILE: 'ldap', LOGIN_FAILURES_PER_USER: '20' }
    stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory', ...others })
    serve({ http: stack.ready.http, ready: stack.ready, jwtSecret: '' })
  })
  afterAll(async () => {
    serve(undefined)
    await stack?.stop()
  })

  it('explains how to send an event', async () => {
    await visit({ at: INBOX, as: 'ldapadmin' }, async (page) => {
      await page.getByRole('heading', { name: 'No event: last 24 h' }).waitFor()
      await page.getByText('npm run send -- stripe payment_intent.succeeded').waitFor()
      await expectSound(page)
      await page.getByRole('button', { name: 'Send test event' }).last().click()
      await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click()
      await page.getByRole('dialog').getByText('200', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('.rows tbody tr').getByText('Processed').waitFor()
    })
  })

  it('finds every endpoint as documented for admins', () =>
    visit({ at: LAB, as: 'ldapadmin', allow: REFUSED_CALLS }, (page) => expectAsDocumented(page, 'ldap')))

  it('finds every endpoint as documented for users', () =>
    visit({ at: LAB, as: 'ldapuser', allow: REFUSED_CALLS }, async (page) => {
      await callAsUsers(page)
      await expectAsDocumented(page, 'ldap')
    }))

  it('shows the rules of the endpoints of other profiles, and states that it did not call them', async () => {
    await visit({ at: LAB, allow: REFUSED_CALLS }, async (page) => {
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
      await cell(page, 'GET /api/auth/info, JWT, profile ldap').click()
      await inspector(page).getByText('401 as documented').waitFor()
    })
  })
})
