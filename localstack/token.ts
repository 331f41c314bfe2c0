import { env } from 'node:process'
import { createTokens } from '../lib/auth/token.ts'
import { loadConfig } from '../lib/runtime/config.ts'
import { tokenSettings } from '../lib/runtime/settings/token.ts'
import type { Clock } from '../lib/runtime/time.ts'
import { askAt } from './api-client.ts'
import { printerFor, runCommand } from './command.ts'
import { localRun } from './local-run.ts'
import { tokenOf } from './operator/credentials.ts'
import { loginOf } from './operator/operator.ts'
import { type LocalToken, readTokenOrder, TOKEN_USAGE, type TokenOrder } from './token-options.ts'

/** In milliseconds. */
const MINUTE = 60_000

await runCommand({ name: 'token', usage: TOKEN_USAGE, run: (args) => print(readTokenOrder(args)) })

async function print(order: TokenOrder): Promise<number> {
  const token = order.from === 'key' ? await signed(order.user, order) : await fetched(order.user, order.url)
  const shown = order.isTampered ? tampered(token) : token
  printerFor(order.json)({ token: shown }, `${shown}\n`)
  return 0
}

async function signed(user: string, { role, isExpired, ttlSeconds }: LocalToken): Promise<string> {
  const { JWT_LIFETIME_SECONDS: usual } = loadConfig({ JWT_LIFETIME_SECONDS: tokenSettings.JWT_LIFETIME_SECONDS })
  const lifetimeSeconds = ttlSeconds ?? usual
  const clock = clockBehind(isExpired ? lifetimeSeconds * 1000 + MINUTE : 0)
  const tokens = createTokens({ keys: { current: localRun(env).tokenKeys() }, lifetimeSeconds, clock })
  return tokens.issue(user, role)
}

/** Gets a token by login; ignores GATEHOUSE_TOKEN, which may belong to another user. */
function fetched(user: string, address: URL): Promise<string> {
  return tokenOf(loginOf(address, user, env), askAt(address))
}

function clockBehind(milliseconds: number): Clock {
  return { now: () => new Date(Date.now() - milliseconds) }
}

/** Changes the first character of the signature: still base64url, still of the same length. */
function tampered(token: string): string {
  const start = token.lastIndexOf('.') + 1
  return `${token.slice(0, start)}${token[start] === 'A' ? 'B' : 'A'}${token.slice(start + 1)}`
}
