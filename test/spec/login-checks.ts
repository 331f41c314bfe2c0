import { expect } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { CookieClient, cookieLine } from '../support/browser-client.ts'
import { call, form } from '../support/client.ts'
import { postJson } from '../support/events.ts'
import { served } from '../support/served.ts'
import type { Checks } from './checks.ts'

const LOGIN = '/api/auth/login'
const CHANNELS = ' (this profile: gRPC and WebSocket only)'

export const loginChecks = {
  '4.1/auth-login': async ({ store, kinds }) => {
    const username = `${store}user`
    const { password } = demoUser(username)
    const { status, json } = await call(LOGIN, form({ username, password }))
    expect([status, json]).toEqual([
      200,
      {
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        username,
        role: 'ROLE_USER',
        message: 'Login successful - use this JWT token for authenticated requests',
        usage: `Add header: Authorization: Bearer <ACCESS_TOKEN>${kinds.includes('JWT') ? '' : CHANNELS}`,
      },
    ])
    for (const [request, fields] of [
      [form({ username: '', password }), ['username']],
      [form({ username, password: '' }), ['password']],
      [form({ username }), ['password']],
      [form(''), ['username', 'password']],
    ] as const) {
      const { status, json } = await call(LOGIN, request)
      expect(status).toBe(400)
      expect(json.details.validationErrors.map(({ field }: { field: string }) => field)).toEqual(fields)
    }
    expect((await call(LOGIN, postJson({ username, password }))).json).toMatchObject({ username, role: 'ROLE_USER' })
    expect((await call(LOGIN, { ...form({ username, password }), headers: {} })).status).toBe(415)
    for (const { username, password, role } of served('ready').users.filter((user) => user.password !== '')) {
      const { status, json } = await call(LOGIN, form({ username, password }))
      expect([status, json.role ?? null], username).toEqual([role === null ? 401 : 200, role])
      expect((await new CookieClient().login(username, password)).status, username).toBe(302)
    }
  },

  '4.1/login': async ({ store }) => {
    const { password } = demoUser(`${store}admin`)
    const answer = await new CookieClient().login(`${store}admin`, password)
    expect([answer.status, answer.headers['location']]).toEqual([302, '/'])
    const [cookie = ''] = cookieLine(answer, 'JSESSIONID').split(';')
    expect((await call('/api/admin/secure', { headers: { cookie } })).json.user).toBe(`${store}admin`)
  },
} satisfies Checks<'4.1'>
