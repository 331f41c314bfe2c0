import { type JWTPayload, SignJWT } from 'jose'
import { AUDIENCE, ISSUER } from '../lib/auth/claims.ts'
import type { Profile } from '../lib/auth/profile.ts'
import type { DemoTokens, DemoUser } from '../lib/contract/console.ts'
import { usersOf } from '../lib/http/pages/demo-users.ts'
import { type Environment, loadConfig } from '../lib/runtime/config.ts'
import { tokenSettings } from '../lib/runtime/settings/token.ts'
import { StartError } from './errors.ts'
import { passwordUsers } from './users.ts'

/** Who can log in with a password of the database of a local run, and of its directory if the run provides it. */
export function demoUsers(isDirectoryOurs: boolean): readonly DemoUser[] {
  return passwordUsers().flatMap(({ username, password, role, store, enabled }) =>
    enabled !== false && (store === 'jdbc' || isDirectoryOurs) ? [{ username, password, role, store }] : [],
  )
}

export function demoUser(name: string): DemoUser | undefined {
  return demoUsers(true).find(({ username }) => username === name)
}

/** The first admin who can log in in a profile: each has one. */
export function demoAdmin(profile: Profile): DemoUser {
  const admin = usersOf(profile, demoUsers(true)).find(({ role }) => role === 'ROLE_ADMIN')
  if (admin) return admin
  throw new StartError(`No user of users.json is an admin in the profile ${profile}`)
}

/** In seconds. */
const MONTH = 30 * 24 * 3600

/** Correctly signed tokens for the token lab, each refused by another check. They belong to no account. */
export async function demoTokens(environment: Environment, now = new Date()): Promise<DemoTokens> {
  const { JWT_KEYS } = loadConfig({ JWT_KEYS: tokenSettings.JWT_KEYS }, [], environment)
  const [first] = JWT_KEYS
  if (!first) throw new Error('the ring holds no key')
  const iat = Math.floor(now.getTime() / 1000)
  const good = { sub: 'nobody', role: 'ROLE_USER', iss: ISSUER, aud: AUDIENCE, iat, exp: iat + MONTH }
  const { role: _, ...withoutRole } = good
  const sign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS512', typ: 'JWT', kid: first.kid }).sign(first.secret)
  return {
    expired: await sign({ ...good, iat: iat - MONTH, exp: iat - 1 }),
    notYetValid: await sign({ ...good, iat: iat + MONTH, exp: iat + 2 * MONTH }),
    withoutRole: await sign(withoutRole),
    unknownRole: await sign({ ...good, role: 'ROLE_OWNER' }),
    revoked: await sign({ ...good, uid: '00000000-0000-4000-8000-000000000000' }),
  }
}
