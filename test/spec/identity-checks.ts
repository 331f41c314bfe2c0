import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { openBrowser } from '../support/browserless-login.ts'
import { bearer, call, form } from '../support/client.ts'
import { claims, forge, HEADER } from '../support/forge.ts'
import { served } from '../support/served.ts'
import type { Checks } from './checks.ts'
import { badToken, expectRefusal } from './refusals.ts'
import { newUser, PASSWORD, postUser } from './user-administration.ts'
import type { World } from './world.ts'

const INFO = '/api/auth/info'

/** What each provider tells of a user, as decided: null for what it does not tell or cannot vouch for. */
const PROFILES = [
  {
    user: 'google:110000000000000000002',
    provider: 'google',
    email: null,
    name: 'Grace User',
    picture: 'https://pictures.example/grace.png',
  },
  {
    user: 'github:5001',
    provider: 'github',
    email: 'octavia@example.com',
    name: 'Octavia Admin',
    picture: 'https://pictures.example/octavia.png',
  },
  { user: 'facebook:90000000000002', provider: 'facebook', email: null, name: 'Fiona User', picture: null },
] as const

const roleAtLogin = async (username: string, password: string) =>
  (await call('/api/auth/login', form({ username, password }))).json.role

/** Names that say something else than the store does. */
async function expectRolesOfDatabase({ admin }: World): Promise<void> {
  for (const [name, role] of [
    ['admin', 'ROLE_USER'],
    ['user', 'ROLE_ADMIN'],
  ] as const) {
    const user = newUser(`${name}-${crypto.randomUUID()}`, role)
    expect((await admin.call('/api/users', postUser(user))).status).toBe(201)
    expect(await roleAtLogin(user.username, PASSWORD)).toBe(role)
  }
}

async function expectRolesOfDirectory({ guests }: World): Promise<void> {
  expect(await roleAtLogin('ldapunicode', demoUser('ldapunicode').password)).toBe('ROLE_USER')
  for (const { kind, call } of guests) expect((await call(INFO)).json.authorities, kind).toEqual([])
}

export const identityChecks = {
  '5/role-at-login': async (world) => {
    if (world.stores.includes('jdbc')) await expectRolesOfDatabase(world)
    if (world.stores.includes('ldap')) await expectRolesOfDirectory(world)
  },

  '5/key-material': async ({ store, kinds }) => {
    const [header = '', payload = '', signature] = (await tokenOf(`${store}user`)).split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ alg: 'HS512', kid: 'first' })
    const first = Buffer.from(served('jwtSecret'), 'base64url')
    expect(first.length).toBeGreaterThanOrEqual(64)
    expect(signature).toBe(createHmac('sha512', first).update(`${header}.${payload}`).digest('base64url'))
    if (!kinds.includes('JWT')) return
    const ours = claims({ iss: 'gatehouse', aud: 'gatehouse' })
    for (const [payload, more] of [
      [claims(), {}],
      [ours, { kid: 'second' }],
    ] as const) {
      const token = forge(payload, { ...HEADER, ...more }, 'sha512', served('secondSecret'))
      expect((await call(INFO, bearer(token))).status).toBe(200)
    }
    for (const token of [
      forge(claims(), { ...HEADER, kid: 'first' }, 'sha512', served('secondSecret')),
      forge(claims(), { ...HEADER, kid: 'third' }),
      forge(claims(), HEADER, 'sha512', Buffer.alloc(64, 7).toString('base64url')),
    ]) {
      expectRefusal(await call(INFO, bearer(token)), badToken(INFO, 'INVALID_SIGNATURE'))
    }
  },

  '5/oauth2-clients': async () => {
    for (const profile of PROFILES) {
      const browser = openBrowser()
      const { headers } = await browser.start(profile.provider)
      expect(new URL(String(headers['location'])).searchParams.get('client_id')).toBe('gatehouse-local')
      await browser.login(profile.provider, profile.user)
      expect((await browser.get('/api/oauth2/profile')).json).toMatchObject(profile)
    }
  },
} satisfies Checks<'5'>
