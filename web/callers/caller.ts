import type { ConsoleFacts } from '../../lib/contract/console.ts'
import { type PasswordWay, STORES } from './ways.ts'

/** A caller with a password; none yet while the name is empty. */
export interface Caller {
  readonly username: string
  readonly password: string
  readonly role: string | null
}

export const NOBODY: Caller = { username: '', password: '', role: null }

/** The demo users who can use a way: a user without a role gets no token. */
export function demoCallers(way: PasswordWay, { accepts, demoUsers }: ConsoleFacts): readonly Caller[] {
  return demoUsers.filter(({ store, role }) =>
    way === 'bearer' ? role !== null && accepts.stores.includes(STORES[store]) : STORES[store] === way,
  )
}
