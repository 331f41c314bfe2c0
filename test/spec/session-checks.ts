import { expect } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { CookieClient, cookieLine } from '../support/browser-client.ts'
import { call, form } from '../support/client.ts'
import { postJson } from '../support/events.ts'
import type { Checks } from './checks.ts'
import { badLogin, expectRefusal, noCredentials } from './refusals.ts'

const PATH = '/login'
const USERS = { jdbc: 'jdbcuser', ldap: 'ldapuser' }
const SESSION = /^JSESSIONID=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/

export const sessionChecks = {
  '3.3/1': async ({ store, stores }) => {
    for (const [candidate, username] of Object.entries(USERS)) {
      const client = new CookieClient()
      const answer = await client.login(username, `${username}-demo`)
      if (stores.some((known) => known === candidate)) {
        expect(answer.status).toBe(302)
        expect((await client.call('/api/auth/info')).json).toMatchObject({ username, authType: 'FORM' })
      } else {
        expectRefusal(answer, badLogin(PATH))
      }
    }
    const right = { username: USERS[store], password: `${USERS[store]}-demo` }
    expect((await call(PATH, postJson(right))).status, 'no form').toBe(415)
    const query = `${PATH}?${new URLSearchParams(right)}`
    expect((await call(query, { method: 'POST' })).status, 'not in the body').toBe(415)
  },

  '3.3/2': async ({ store }) => {
    const client = new CookieClient()
    const answer = await client.login(`${store}user`, demoUser(`${store}user`).password)
    expect(answer.status).toBe(302)
    expect(answer.headers['location']).toBe('/')
    expect(cookieLine(answer, 'JSESSIONID')).toMatch(SESSION)
    const { json } = await client.call('/api/auth/info')
    expect(json).toMatchObject({ username: `${store}user`, sessionExpiresAt: expect.any(String) })
    expect((await client.call('/')).text).toContain(`<dd>${store}user</dd>`)
  },

  '3.3/3': async ({ store }) => {
    const client = new CookieClient()
    const answer = await client.login(`${store}user`, 'wrong')
    expectRefusal(answer, badLogin(PATH))
    expect(answer.headers['set-cookie']).toBeUndefined()
    const { headers, ...request } = form({ username: `${store}user`, password: 'wrong' })
    const page = await client.call(PATH, { ...request, headers: { ...headers, accept: 'text/html' } })
    expect([page.status, page.headers['location']]).toEqual([302, '/login?error'])
    expect(page.headers['set-cookie']).not.toContain('JSESSIONID')
    expectRefusal(await client.call('/api/auth/info'), noCredentials('/api/auth/info'))
  },
} satisfies Checks<'3.3'>
