import type { DemoUser } from '../lib/contract/console.ts'
import users from './demo-users.json' with { type: 'json' }

/** All demo users in the database of a local run, and in its directory if the run provides it. */
export function demoUsers(isDirectoryOurs: boolean): readonly DemoUser[] {
  return (users as readonly DemoUser[]).filter(({ store }) => store === 'jdbc' || isDirectoryOurs)
}
