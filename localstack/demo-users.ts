import type { Profile } from '../lib/auth/profile.ts'
import type { DemoUser } from '../lib/contract/console.ts'
import { usersOf } from '../lib/http/pages/demo-users.ts'
import users from './demo-users.json' with { type: 'json' }

const ALL = users as readonly DemoUser[]

/** All demo users in the database of a local run, and in its directory if the run provides it. */
export function demoUsers(isDirectoryOurs: boolean): readonly DemoUser[] {
  return ALL.filter(({ store }) => store === 'jdbc' || isDirectoryOurs)
}

export function demoUser(name: string): DemoUser | undefined {
  return ALL.find(({ username }) => username === name)
}

/** The first admin who can log in in a profile: each has one. */
export function demoAdmin(profile: Profile): DemoUser {
  const admin = usersOf(profile, ALL).find(({ role }) => role === 'ROLE_ADMIN')
  if (admin) return admin
  throw new Error(`no demo user is an admin in the profile ${profile}`)
}
