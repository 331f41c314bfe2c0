import { describe, expect, it } from 'vitest'
import {
  describePrincipal,
  describeProfile,
  describeSteps,
  greet,
  greetAnybody,
  type OAuth2Profile,
  type Principal,
} from '../../../lib/auth/principal.ts'
import { fail } from '../../../lib/errors.ts'

const alice: Principal = {
  username: 'alice',
  roles: ['ROLE_ADMIN'],
  authType: 'JWT',
  principalType: 'JwtUser',
  tokenExpiresAt: new Date('2026-01-03T03:04:05Z'),
}

const bob: Principal = { username: 'bob', roles: ['ROLE_USER'], authType: 'JWT', principalType: 'JwtUser' }

describe('the answer of GET /api/auth/info', () => {
  it('describes the current security context and the authentication method used', () => {
    expect(describePrincipal(alice)).toEqual({
      authenticated: true,
      username: 'alice',
      authorities: [{ authority: 'ROLE_ADMIN' }],
      authType: 'JWT',
      principalType: 'JwtUser',
      tokenExpiresAt: '2026-01-03T03:04:05.000Z',
    })
  })

  it('has empty authorities for a principal without a mapped role', () => {
    expect(describePrincipal({ ...bob, roles: [] }).authorities).toEqual([])
  })
})

describe('the greeting', () => {
  it('of an anonymous caller has no name', () => {
    expect(greetAnybody()).toEqual({
      message: 'Hello, world! (public endpoint - no authentication required)',
    })
  })

  it.each([
    [alice, 'Hello, Admin! (secured endpoint)'],
    [bob, 'Hello, User! (secured endpoint)'],
  ])('depends on the role', (principal, message) => {
    expect(greet(principal)).toEqual({
      message,
      user: principal.username,
      authorities: principal.roles.map((authority) => ({ authority })),
      authType: 'JWT',
    })
  })
})

it('a profile after a login without a provider contains the name and the roles', () => {
  const principal = {
    username: 'alice',
    roles: ['ROLE_ADMIN', 'ROLE_USER'],
    authType: 'FORM',
    principalType: 'DatabaseUser',
  } as const
  expect(describeProfile(principal)).toEqual({
    message: 'OAuth2 Authentication Demo',
    user: 'alice',
    authorities: [{ authority: 'ROLE_ADMIN' }, { authority: 'ROLE_USER' }],
  })
})

it('a profile has its attributes in the order of their names, independent of their storage', () => {
  const attributes = {
    name: 'Ada',
    address: { street: 's', city: 'c' },
    emails: [{ verified: true, email: 'e' }],
    id: null,
  }
  const oauth2 = { provider: 'google', email: null, name: 'Ada', picture: null, attributes }
  const profile = describeProfile({
    username: 'google:1',
    roles: ['ROLE_USER'],
    authType: 'OAuth2',
    principalType: 'OidcUser',
    oauth2,
  })
  expect(profile).toMatchObject({ attributes })
  expect(JSON.stringify(profile)).toContain(
    '"attributes":{"address":{"city":"c","street":"s"},"emails":[{"email":"e","verified":true}],"id":null,"name":"Ada"}',
  )
})

it('a profile contains null for each value that the provider did not send', () => {
  const oauth2 = { provider: 'facebook', email: null, name: 'Fiona', picture: null, attributes: { id: '1' } }
  const principal = {
    username: 'facebook:1',
    roles: ['ROLE_USER'],
    authType: 'OAuth2',
    principalType: 'OAuth2User',
    oauth2,
  } as const
  expect(describeProfile(principal)).toEqual({
    message: 'OAuth2 Authentication Demo',
    user: 'facebook:1',
    ...oauth2,
  })
})

const PROFILE: OAuth2Profile = { provider: 'google', email: null, name: 'Ada', picture: null, attributes: {} }
const LOGIN = { at: '2026-01-02T03:04:05.000Z', steps: [] }

const principal = (oauth2?: OAuth2Profile): Principal => ({
  username: 'google:1',
  roles: ['ROLE_USER'],
  authType: 'OAuth2',
  principalType: 'OidcUser',
  ...(oauth2 && { oauth2 }),
})

it('the answer contains the provider, the time and the steps', () => {
  expect(describeSteps(principal({ ...PROFILE, login: LOGIN }))).toEqual({ provider: 'google', ...LOGIN })
})

it('the answer has a fixed order of members, independent of their storage', () => {
  const step = {
    checks: [{ value: 'v', result: 'PASSED', name: 'state' }],
    answer: { fields: [{ value: 'Bearer', name: 'token_type' }], status: 200 },
    sent: [{ value: 'code', name: 'grant_type' }],
    url: 'https://idp.example/token',
    method: 'POST',
    name: 'token',
  } as const
  const { answer: _, ...callback } = { ...step, name: 'callback' } as const
  const described = describeSteps(principal({ ...PROFILE, login: { steps: [callback, step], at: LOGIN.at } }))
  expect(described).toEqual({ provider: 'google', at: LOGIN.at, steps: [callback, step] })
  const [first, second] = described.steps.map((one) => JSON.stringify(one))
  const front = '"method":"POST","url":"https://idp.example/token","sent":[{"name":"grant_type","value":"code"}]'
  const back = '"checks":[{"name":"state","result":"PASSED","value":"v"}]}'
  expect(first).toBe(`{"name":"callback",${front},${back}`)
  expect(second).toBe(
    `{"name":"token",${front},"answer":{"status":200,"fields":[{"name":"token_type","value":"Bearer"}]},${back}`,
  )
})

it.each<[string, OAuth2Profile | undefined]>([
  ['that began with the form login', undefined],
  ['that is older than the recording of logins', PROFILE],
])('no steps are found for a session %s', (_, oauth2) => {
  expect(() => describeSteps(principal(oauth2))).toThrow(fail('LOGIN_STEPS_NOT_FOUND'))
})
