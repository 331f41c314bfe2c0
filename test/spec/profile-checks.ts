import { expect } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { basic, bearer, call } from '../support/client.ts'
import type { Checks } from './checks.ts'
import { ABILITIES, type Kind, type Own } from './profiles.ts'
import { badBasic, expectRefusal, noCredentials, notAccepted, type Refusal, unknownPath } from './refusals.ts'
import type { World } from './world.ts'

const PATH = '/api/user/secure'

/** Every kind of credentials that a request can carry by itself, all of them right somewhere. */
const CARRIED = {
  JWT: async ({ store }: World) => bearer(await tokenOf(`${store}user`)),
  'Basic, database': async () => basic('jdbcuser', 'jdbcuser-demo'),
  'Basic, directory': async () => basic('ldapuser', 'ldapuser-demo'),
} as const satisfies Partial<Record<Kind, unknown>>

type Carried = keyof typeof CARRIED

/** Where Basic counts at all, a user of the other store is one whom nobody knows. */
function refusalOf(kind: Carried, { kinds }: World): Refusal {
  const isBasicRead = kind !== 'JWT' && kinds.some((accepted) => accepted.startsWith('Basic'))
  return isBasicRead ? badBasic(PATH) : notAccepted(PATH)
}

async function expectOneMethod(world: World): Promise<void> {
  const foreign = (Object.keys(CARRIED) as Carried[]).filter((kind) => !world.kinds.includes(kind))
  for (const kind of foreign) {
    expectRefusal(await call(PATH, await CARRIED[kind](world)), refusalOf(kind, world), kind)
  }
  const { status } = await call('/oauth2/authorization/google')
  expect(status).toBe(world.kinds.includes('OAuth2 session') ? 302 : 404)
  const [method] = world.users
  expect((await method?.call(PATH))?.status).toBe(200)
}

async function expectOwnEndpoints({ own }: World): Promise<void> {
  const all: readonly Own[] = ABILITIES.default.own
  for (const path of all) {
    expectRefusal(await call(path), own.includes(path) ? noCredentials(path) : unknownPath(path))
  }
  const operators = ['/api/webhooks/events', '/api/webhooks/events/payment/evt', '/api/webhooks/replays/replay']
  for (const path of ['/api/auth/info', '/api/admin/secure', PATH, ...operators]) {
    expectRefusal(await call(path), noCredentials(path))
  }
  for (const path of ['/', '/login', '/api/public/hello']) expect((await call(path)).status, path).toBe(200)
  const webhooks = ['payment', 'order-status', 'stripe', 'github'].map((name) => `/webhooks/${name}`)
  for (const path of [...webhooks, '/api/auth/login', '/api/users', '/logout']) {
    expect((await call(path, { method: 'PUT' })).status, path).toBe(405)
  }
}

export const profileChecks = {
  '1.3/default': async ({ users }) => {
    const answers = await Promise.all(users.map(({ call }) => call('/api/auth/info')))
    const methods = answers.map(({ json }) => `${json.authType} ${json.principalType}`)
    expect(methods).toEqual([
      'JWT JwtUser',
      'JDBC DatabaseUser',
      'LDAP DirectoryUser',
      'OAuth2 OidcUser',
      'FORM DatabaseUser',
    ])
  },
  '1.3/named': expectOneMethod,
  '1.3/own-endpoints': expectOwnEndpoints,
} satisfies Checks<'1.3'>
