import type { Principal } from '../../../lib/auth/principal.ts'
import { type DemoTokens, type DemoUser, SCRIPT_PAGES } from '../../../lib/contract/console.ts'
import type { Site, View } from '../../../lib/http/pages/site.ts'

export const ALICE: Principal = {
  username: 'Alice',
  roles: ['ROLE_USER', 'ROLE_ADMIN'],
  authType: 'FORM',
  principalType: 'DatabaseUser',
  sessionExpiresAt: new Date('2026-01-02T03:34:05Z'),
}

export const BOB: Principal = { ...ALICE, username: 'Bob', roles: ['ROLE_USER'] }

export function viewOf(principal?: Principal): View {
  return {
    principal,
    csrfToken: 'random.signature',
    csrfCookie: 'XSRF-TOKEN=random.signature',
    providers: [
      { id: 'google', label: 'Google' },
      { id: 'github', label: 'GitHub' },
      { id: 'facebook', label: 'Facebook' },
    ],
    now: new Date('2026-01-02T03:04:05Z'),
    address: '/',
  }
}

export const SITE: Site = {
  manifest: {
    style: 'style-1.css',
    icon: 'icon-1.svg',
    icons: 'icons-1.svg',
    asyncapi: 'asyncapi-1.json',
    scripts: Object.fromEntries(
      ['home', 'login', 'docs', ...SCRIPT_PAGES].map((name) => [name, [`${name}-1.js`, 'shared-1.js']]),
    ),
  },
  baseUrl: new URL('http://127.0.0.1:3000'),
  stompUrl: new URL('ws://127.0.0.1:3001/ws'),
  grpcUrl: new URL('http://127.0.0.1:5051'),
  profile: 'default',
  isLocal: true,
  passkeys: 'on',
  permissions: { ROLE_ADMIN: { User: ['CREATE', 'DELETE'] }, ROLE_USER: { User: ['READ'] } },
  demoUsers: [],
  demoTokens: undefined,
}

export const DEMO_USERS: readonly DemoUser[] = [
  { username: 'ann', password: 'ann-demo', role: 'ROLE_ADMIN', store: 'jdbc' },
  { username: 'ldapbob', password: 'bob-demo', role: null, store: 'ldap' },
]

export const DEMO_TOKENS: DemoTokens = {
  expired: 'a.b.expired',
  notYetValid: 'a.b.early',
  withoutRole: 'a.b.roleless',
  unknownRole: 'a.b.owner',
  revoked: 'a.b.revoked',
}
