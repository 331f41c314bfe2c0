import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { isInProfile, PROFILES, type Profile } from '../../../../lib/auth/profile.ts'
import { ROUTES } from '../../../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../../../lib/contract/route.ts'
import { type Ask, operatorCredentials } from '../../../../localstack/operator/operator.ts'

const NAMES = Object.keys(PROFILES) as Profile[]

/** A service in a profile, in which every password is the name with `-demo`; and what it was asked. */
function serviceIn(profile: Profile) {
  const asked: string[] = []
  let logins = 0

  const ask: Ask = async (path, { body } = {}) => {
    asked.push(path)
    const route = Object.values<Route>(ROUTES).find((each) => each.path === path)
    if (!route || !isInProfile(route, profile)) return Response.json({ message: 'none' }, { status: 404 })
    if (route.access !== 'public') return Response.json({ message: 'Authentication required' }, { status: 401 })
    const { username, password } = Object.fromEntries(new URLSearchParams(String(body)))
    if (password !== `${username}-demo`)
      return Response.json({ message: 'Invalid username or password' }, { status: 401 })
    logins += 1
    if (path === '/api/auth/login') return Response.json({ token: `${username}.${logins}` })
    const headers = new Headers({ location: '/' })
    headers.append('set-cookie', `JSESSIONID=${username}${logins}; Path=/; HttpOnly`)
    headers.append('set-cookie', `XSRF-TOKEN=random.${logins}; Path=/`)
    return new Response(null, { status: 302, headers })
  }
  return { ask, asked, loginsOf: () => asked.filter((path) => path.endsWith('/login')) }
}

const basic = (name: string) => ({ authorization: `Basic ${Buffer.from(`${name}:${name}-demo`).toString('base64')}` })
const session = (name: string, count = 1) => ({
  cookie: `JSESSIONID=${name}${count}; XSRF-TOKEN=random.${count}`,
  'x-xsrf-token': `random.${count}`,
})

describe('the demo admin', () => {
  it.each<[Profile, Readonly<Record<string, string>>, string]>([
    ['default', { authorization: 'Bearer admin.1' }, 'admin'],
    ['jwt', { authorization: 'Bearer admin.1' }, 'admin'],
    ['jdbc', basic('admin'), 'admin'],
    ['ldap', basic('ldapadmin'), 'ldapadmin'],
    ['oauth2', session('admin'), 'admin'],
  ])(
    'logs in in the profile %s with its credentials over HTTP, and with a token over gRPC',
    async (profile, fields, name) => {
      const { ask } = serviceIn(profile)
      const credentials = operatorCredentials('demo admin', ask)
      expect(await credentials.http()).toEqual(fields)
      expect((await credentials.grpc())['authorization']).toMatch(new RegExp(`^Bearer ${name}\\.\\d$`))
    },
  )

  it.each(NAMES)('requests the profile once, and logs in once at most, in parallel as well: %s', async (profile) => {
    const { ask, asked, loginsOf } = serviceIn(profile)
    const credentials = operatorCredentials('demo admin', ask)
    await Promise.all([credentials.http(), credentials.http()])
    await credentials.http()
    expect(asked.length - loginsOf().length).toBe(3)
    expect(loginsOf()).toHaveLength(PROFILES[profile].basic && !PROFILES[profile].bearer ? 0 : 1)
  })
})

describe('a named user', () => {
  it.each(['default', 'jwt', 'oauth2'] as const)('receives the error of a wrong password: %s', async (profile) => {
    const credentials = operatorCredentials({ username: 'ada', password: 'wrong' }, serviceIn(profile).ask)
    await expect(credentials.http()).rejects.toThrow('The service answers 401: Invalid username or password')
  })
})

describe('after a refusal', () => {
  it.each<[Profile, boolean, Readonly<Record<string, string>>]>([
    ['default', true, { authorization: 'Bearer admin.2' }],
    ['oauth2', true, session('admin', 2)],
    ['jdbc', false, basic('admin')],
    ['ldap', false, basic('ldapadmin')],
  ])(
    'a token or a session is renewed, and the same password is not tried again: %s',
    async (profile, isNew, fields) => {
      const credentials = operatorCredentials('demo admin', serviceIn(profile).ask)
      await credentials.http()
      expect(credentials.renew()).toBe(isNew)
      expect(await credentials.http()).toEqual(fields)
    },
  )

  it('a given token stays unchanged, and needs no request', async () => {
    const { ask, asked } = serviceIn('jwt')
    const credentials = operatorCredentials({ token: 'a.b.c' }, ask)
    expect(await credentials.http()).toEqual({ authorization: 'Bearer a.b.c' })
    expect(credentials.renew()).toBe(false)
    expect(asked).toEqual([])
  })
})

it.each([503, 429, 200, 301])('a service with an unknown profile causes an error: %i', async (status) => {
  const credentials = operatorCredentials('demo admin', async () => new Response(null, { status }))
  await expect(credentials.http()).rejects.toThrow(`The service answers ${status} to /api/`)
})
