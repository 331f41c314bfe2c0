import { describe, expect, it } from 'vitest'
import { describePrincipal, greet, greetAnybody, type Principal } from '../../../lib/auth/principal.ts'

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
