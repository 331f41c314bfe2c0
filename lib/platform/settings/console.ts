import * as z from 'zod/mini'
import type { DemoUser } from '../../contract/console.ts'
import type { Rule } from '../config.ts'
import { parsed } from './values.ts'

function webSocketUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^wss?:$/.test(url.protocol) && !url.username && !url.hash) return url
  throw new Error('must be a ws or wss address, without user or fragment')
}

const users = z.array(
  z.strictObject({
    username: z.string(),
    password: z.string(),
    role: z.nullable(z.string()),
    store: z.enum(['jdbc', 'ldap']),
  }),
)

function demoUsers(text: string): readonly DemoUser[] {
  try {
    return z.parse(users, JSON.parse(text))
  } catch {
    throw new Error('must be a JSON list of username, password, role and store')
  }
}

/** What the pages of the console tell. */
export const consoleSettings = {
  STOMP_URL: z.optional(parsed(webSocketUrl)),
  DEMO_USERS: z._default(parsed(demoUsers), []),
}

interface Shown {
  readonly STAGE: string
  readonly DEMO_USERS: readonly DemoUser[]
}

/** A deployed page tells nobody a password. */
export const noDemoUsersDeployed: Rule<Shown> = {
  settings: ['STAGE', 'DEMO_USERS'],
  broken: ({ STAGE, DEMO_USERS }) =>
    STAGE !== 'local' && DEMO_USERS.length > 0 ? 'DEMO_USERS: belong to local runs only' : undefined,
}
