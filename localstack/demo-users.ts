import type { DemoUser } from '../lib/contract/console.ts'
import users from './demo-users.json' with { type: 'json' }

/** Everybody whom a local run keeps in its database, and in its directory if that is its own. */
export function demoUsers(isDirectoryOurs: boolean): readonly DemoUser[] {
  return (users as readonly DemoUser[]).filter(({ store }) => store === 'jdbc' || isDirectoryOurs)
}
