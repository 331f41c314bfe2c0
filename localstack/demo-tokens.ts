import { SignJWT } from 'jose'
import { createTokens } from '../lib/auth/token.ts'
import type { DemoTokens } from '../lib/contract/console.ts'
import { type Environment, loadConfig } from '../lib/runtime/config.ts'
import { tokenSettings } from '../lib/runtime/settings/token.ts'

const LONG_AGO = new Date('2026-01-01T00:00:00Z')
const clock = { now: () => LONG_AGO }

/** Correctly signed tokens that belong to no user and that every endpoint refuses. */
export async function demoTokens(environment: Environment): Promise<DemoTokens> {
  const { JWT_KEYS: keys } = loadConfig({ JWT_KEYS: tokenSettings.JWT_KEYS }, [], environment)
  const [first] = keys
  if (!first) throw new Error('the ring holds no key')
  const tokens = createTokens({ keys: { current: keys }, lifetimeSeconds: 60, clock })
  const withoutRole = new SignJWT({})
    .setProtectedHeader({ alg: 'HS512', typ: 'JWT', kid: first.kid })
    .setSubject('nobody')
  return {
    expired: await tokens.issue('nobody', 'ROLE_USER'),
    withoutRole: await withoutRole.setIssuedAt(LONG_AGO).setExpirationTime('1m').sign(first.secret),
  }
}
