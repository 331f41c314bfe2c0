import { Buffer } from 'node:buffer'
import { expect, it } from 'vitest'
import { createTokens } from '../../../lib/auth/token.ts'
import { demoTokens } from '../../../localstack/demo-tokens.ts'
import { FIRST_KEY, SECOND_KEY } from '../../support/fakes/jwt.ts'

const keys = [FIRST_KEY, SECOND_KEY]
const ring = keys.map(({ kid, secret }) => `${kid}:${Buffer.from(secret).toString('base64url')}`)

it.each([
  ['expired', 'EXPIRED'],
  ['withoutRole', 'MISSING_CLAIMS'],
] as const)('the service signed the one that is %s, and refuses it: %s', async (name, tokenStatus) => {
  const tokens = createTokens({ keys: { current: keys }, lifetimeSeconds: 60, clock: { now: () => new Date() } })
  const made = await demoTokens({ JWT_KEYS: ring.join(',') })
  await expect(async () => tokens.verify(made[name])).rejects.toMatchObject({ details: { tokenStatus } })
})
