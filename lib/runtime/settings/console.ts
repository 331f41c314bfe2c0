import * as z from 'zod/mini'
import type { DemoTokens, DemoUser } from '../../contract/console.ts'
import { optional, parsed, type Rule, withDefault } from '../config.ts'

function webSocketUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^wss?:$/.test(url.protocol) && !url.username && !url.hash) return url
  throw new Error('must be a ws or wss address, without user or fragment')
}

function httpOrigin(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url
  throw new Error('must be an http or https address, without user or path')
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

const tokens = z.strictObject({
  expired: z.string(),
  notYetValid: z.string(),
  withoutRole: z.string(),
  unknownRole: z.string(),
  revoked: z.string(),
})

function demoTokens(text: string): DemoTokens {
  try {
    return z.parse(tokens, JSON.parse(text))
  } catch {
    throw new Error('must be a JSON object of expired, notYetValid, withoutRole, unknownRole and revoked')
  }
}

/** What the pages of the console show. */
export const consoleSettings = {
  /** Where browsers reach STOMP over WebSocket @default the local one, else none */
  STOMP_URL: optional(parsed(webSocketUrl)),
  /** Where clients reach gRPC; the console shows it @default the local one, else none */
  GRPC_URL: optional(parsed(httpOrigin)),
  /** The demo users that the login page shows on a local run @internal */
  DEMO_USERS: withDefault(parsed(demoUsers), []),
  /** The tokens that the lab shows on a local run @internal */
  DEMO_TOKENS: optional(parsed(demoTokens)),
}

interface Shown {
  readonly STAGE: string
  readonly DEMO_USERS: readonly DemoUser[]
  readonly DEMO_TOKENS?: DemoTokens | undefined
}

/** A deployed page shows no password and no token. */
export const noDemoDeployed: Rule<Shown> = {
  settings: ['STAGE', 'DEMO_USERS', 'DEMO_TOKENS'],
  broken: ({ STAGE, DEMO_USERS, DEMO_TOKENS }) => {
    if (STAGE === 'local') return undefined
    if (DEMO_USERS.length > 0) return 'DEMO_USERS: belong to local runs only'
    return DEMO_TOKENS ? 'DEMO_TOKENS: belong to local runs only' : undefined
  },
}
