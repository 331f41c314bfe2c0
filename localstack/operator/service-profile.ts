import type { Profile } from '../../lib/auth/profile.ts'
import { ROUTES } from '../../lib/endpoints/index.ts'
import { StartError } from '../start-error.ts'

/** Sends one request to the service, by its path; follows no redirect. Throws when nothing answers. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** An endpoint that only one profile has, except the default profile, which has them all. */
const OWN = {
  jdbc: ROUTES.jdbcUsers.path,
  ldap: ROUTES.ldapUsers.path,
  oauth2: ROUTES.oauth2Profile.path,
} as const satisfies Partial<Record<Profile, string>>

const NAMES = Object.keys(OWN) as (keyof typeof OWN)[]

/**
 * The profile of a service, by the endpoints that are there: 401 without credentials, 404 where there is none.
 * @throws StartError for another answer
 */
export async function profileAt(ask: Ask): Promise<Profile> {
  const present = await Promise.all(NAMES.map((name) => isThere(OWN[name], ask)))
  const [name, ...others] = NAMES.filter((_, index) => present[index])
  if (name === undefined) return 'jwt'
  return others.length === 0 ? name : 'default'
}

async function isThere(path: string, ask: Ask): Promise<boolean> {
  const { status, body } = await ask(path)
  await body?.cancel()
  if (status === 401 || status === 404) return status === 401
  throw new StartError(`The service answers ${status} to ${path}: it is no Gatehouse, or another version of it.`)
}
