import type { ConsoleFacts } from '../lib/contract/console.ts'
import type { Credentials } from '../lib/contract/route.ts'

/** The ways to authenticate. */
export type AuthMethod = 'none' | 'bearer' | 'database' | 'directory' | 'session'

export const AUTH_LABELS: Readonly<Record<AuthMethod, string>> = {
  none: 'None',
  bearer: 'JWT',
  database: 'Basic DB',
  directory: 'Basic LDAP',
  session: 'Session',
}

/** The ways that use a name and a password, each with the store of its demo users. */
export type PasswordMethod = Exclude<AuthMethod, 'none' | 'session'>

export const STORES = { jdbc: 'database', ldap: 'directory' } as const

/** The ways that an endpoint accepts, by its kind of credentials. */
export const TAKEN_BY: Readonly<Record<Credentials, readonly AuthMethod[]>> = {
  any: ['bearer', 'database', 'directory', 'session'],
  'any-or-key': ['bearer', 'database', 'directory', 'session'],
  database: ['database'],
  directory: ['directory'],
  session: ['session'],
}

type Accepts = ConsoleFacts['accepts']

const ACCEPTED: Readonly<Record<AuthMethod, (accepts: Accepts) => boolean>> = {
  none: () => false,
  bearer: ({ bearer }) => bearer,
  database: ({ basic, stores }) => basic && stores.includes('database'),
  directory: ({ basic, stores }) => basic && stores.includes('directory'),
  session: () => true,
}

/** Whether the profile accepts such credentials. */
export function isAccepted(auth: AuthMethod, accepts: Accepts): boolean {
  return ACCEPTED[auth](accepts)
}

/**
 * The ways worth trying. Where Basic is accepted, a name from a store that the profile does not use counts as a wrong
 * password, and wrong passwords are counted.
 */
export function authMethodsOf(accepts: Accepts): readonly AuthMethod[] {
  const authMethods = Object.keys(AUTH_LABELS) as AuthMethod[]
  return authMethods.filter(
    (auth) => !(auth === 'database' || auth === 'directory') || !accepts.basic || isAccepted(auth, accepts),
  )
}

/** A caller with a password; none yet while the name is empty. */
export interface Caller {
  readonly username: string
  readonly password: string
  readonly role: string | null
}

export const NOBODY: Caller = { username: '', password: '', role: null }

/** The demo users who can use a way: a user without a role gets no token. */
export function demoCallers(auth: PasswordMethod, { accepts, demoUsers }: ConsoleFacts): readonly Caller[] {
  return demoUsers.filter(({ store, role }) =>
    auth === 'bearer' ? role !== null && accepts.stores.includes(STORES[store]) : STORES[store] === auth,
  )
}
