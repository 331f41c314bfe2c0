import { Buffer } from 'node:buffer'
import { expect, it } from 'vitest'
import { confirming, createAccountGate } from '../../../lib/auth/account-gate.ts'

import { bearerCheck, createTokens } from '../../../lib/auth/token.ts'
import { demoTokens } from '../../../localstack/demo-users.ts'
import { FIRST_KEY, SECOND_KEY } from '../../support/fakes/jwt.ts'

const NOW = new Date('2026-01-02T03:04:05Z')
const clock = { now: () => NOW }
const keys = [FIRST_KEY, SECOND_KEY]
const ring = keys.map(({ kid, secret }) => `${kid}:${Buffer.from(secret).toString('base64url')}`)
const made = await demoTokens({ JWT_KEYS: ring.join(',') }, NOW)
const tokens = createTokens({ keys: { current: keys }, lifetimeSeconds: 60, clock })

it.each([
  ['expired', 'EXPIRED'],
  ['notYetValid', 'NOT_YET_VALID'],
  ['withoutRole', 'MISSING_CLAIMS'],
  ['unknownRole', 'INVALID_CLAIMS'],
] as const)('the service signed the one that is %s, and refuses it: %s', async (name, tokenStatus) => {
  await expect(async () => tokens.verify(made[name])).rejects.toMatchObject({ details: { tokenStatus } })
})

it('a call that checks the account refuses the revoked one, which belongs to no account', async () => {
  const noAccounts = { look: async () => 'gone' as const }
  const check = confirming(bearerCheck(tokens), createAccountGate(noAccounts, clock))
  await expect(check(made.revoked)).rejects.toMatchObject({ details: { tokenStatus: 'REVOKED' } })
})

it('no token belongs to an admin', async () => {
  expect(await tokens.verify(made.revoked)).toMatchObject({ username: 'nobody', role: 'ROLE_USER' })
})
