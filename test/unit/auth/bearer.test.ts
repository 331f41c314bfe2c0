import { expect, it } from 'vitest'
import { bearerCheck, createTokens } from '../../../lib/auth/token.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { FIRST_KEY } from '../../support/fakes/jwt.ts'

const ALICE = {
  username: 'alice',
  uid: 'id-1',
  roles: ['ROLE_ADMIN'],
  authType: 'JWT',
  principalType: 'JwtUser',
  tokenIssuedAt: new Date('2026-01-02T03:04:05.000Z'),
  tokenExpiresAt: new Date('2026-01-02T03:05:05.000Z'),
}

it('a bearer token determines its principal, at the first call and from the cache', async () => {
  const tokens = createTokens({ keys: { current: [FIRST_KEY] }, lifetimeSeconds: 60, clock: fixedClock() })
  const check = bearerCheck(tokens)
  const token = await tokens.issue('alice', 'ROLE_ADMIN', 'id-1')
  expect(await check(token)).toEqual(ALICE)
  expect(check(token)).toEqual(ALICE)
})
