import type { ConsoleFacts } from '../../lib/contract/console.ts'
import type { Credentials } from '../../lib/contract/route.ts'

/** The ways to authenticate. */
export type Way = 'none' | 'bearer' | 'database' | 'directory' | 'session'

export const WAY_LABELS: Readonly<Record<Way, string>> = {
  none: 'None',
  bearer: 'JWT',
  database: 'Basic DB',
  directory: 'Basic LDAP',
  session: 'Session',
}

/** The ways that use a name and a password, each with the store of its demo users. */
export type PasswordWay = Exclude<Way, 'none' | 'session'>

export const STORES = { jdbc: 'database', ldap: 'directory' } as const

/** The ways that an endpoint accepts, by its kind of credentials. */
export const COUNTING: Readonly<Record<Credentials, readonly Way[]>> = {
  any: ['bearer', 'database', 'directory', 'session'],
  'any-or-key': ['bearer', 'database', 'directory', 'session'],
  database: ['database'],
  directory: ['directory'],
  session: ['session'],
}

type Accepts = ConsoleFacts['accepts']

const ACCEPTED: Readonly<Record<Way, (accepts: Accepts) => boolean>> = {
  none: () => false,
  bearer: ({ bearer }) => bearer,
  database: ({ basic, stores }) => basic && stores.includes('database'),
  directory: ({ basic, stores }) => basic && stores.includes('directory'),
  session: () => true,
}

/** Whether the profile accepts such credentials. */
export function isAccepted(way: Way, accepts: Accepts): boolean {
  return ACCEPTED[way](accepts)
}

/**
 * The ways worth trying. Where Basic is accepted, a name from a store that the profile does not use counts as a wrong
 * password, and wrong passwords are counted.
 */
export function waysOf(accepts: Accepts): readonly Way[] {
  const ways = Object.keys(WAY_LABELS) as Way[]
  return ways.filter(
    (way) => !(way === 'database' || way === 'directory') || !accepts.basic || isAccepted(way, accepts),
  )
}
