import { env } from 'node:process'
import { createTokens } from '../../lib/auth/token.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { tokenSettings } from '../../lib/runtime/settings/token.ts'
import { isRole, type Role } from '../../lib/users/role.ts'
import { addressOption, FLAG, printerFor, readOptions, runCommand, TEXT, UsageError, wholeOption } from '../command.ts'
import users from '../demo-users.json' with { type: 'json' }
import { localRun } from '../local-run.ts'
import { askAt } from '../operator/api-client.ts'
import { loginOf, tokenOf } from '../operator/operator.ts'

const USAGE = `npx gatehouse token <user> [options]

Prints a token for the user, and nothing else:

  TOKEN=$(npx gatehouse token admin)
  curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3000/api/admin/secure

It is signed with the key of the local run: JWT_KEYS, or else the key in the data folder. HTTP accepts it in the profiles default
and jwt, gRPC and STOMP in all profiles.

  --ttl N         valid for N seconds (JWT_LIFETIME_SECONDS)
  --role ROLE     ROLE_ADMIN or ROLE_USER (the role of the demo user)
  --expired       expired a minute ago
  --tamper        with an invalid signature
  --url ADDRESS   get it from the login of this service, with GATEHOUSE_PASSWORD
`

const OPTIONS = {
  ttl: TEXT,
  role: TEXT,
  expired: FLAG,
  tamper: FLAG,
  url: TEXT,
  json: FLAG,
} as const

/** The options that only work with the local run's key. */
const OWN = ['ttl', 'role', 'expired'] as const

/** Parses the arguments. @throws UsageError when they make no order */
export function readTokenOrder(args: readonly string[]) {
  const { values, positionals } = readOptions({ args: [...args], options: OPTIONS, allowPositionals: true })
  const [user, ...more] = positionals
  if (!user || more.length > 0) throw new UsageError('Name one user')
  const { ttl, role, expired: isExpired, tamper: isTampered, url, json } = values
  if (url === undefined) {
    const ttlSeconds = ttl === undefined ? undefined : wholeOption('--ttl', ttl, [1, 31_536_000])
    return { user, isTampered, json, from: 'key', role: roleOf(user, role), isExpired, ttlSeconds } as const
  }
  const other = OWN.find((name) => values[name])
  if (other) throw new UsageError(`--${other} is for the key of the local run, not for the login of --url`)
  return { user, isTampered, json, from: 'login', url: addressOption(url) } as const
}

function roleOf(user: string, given: string | undefined): Role {
  const role = given ?? users.find(({ username }) => username === user)?.role
  if (isRole(role)) return role
  if (given !== undefined) throw new UsageError('--role must be ROLE_ADMIN or ROLE_USER')
  throw new UsageError(`${user} is no demo user with a role: name one with --role`)
}

/** In milliseconds. */
const MINUTE = 60_000

type TokenOrder = ReturnType<typeof readTokenOrder>

async function print(order: TokenOrder): Promise<number> {
  // Not that of GATEHOUSE_TOKEN, which may belong to another user.
  const login = async (url: URL) => tokenOf(loginOf(url, order.user, env), askAt(url))
  const token = order.from === 'key' ? await signed(order) : await login(order.url)
  const shown = order.isTampered ? tampered(token) : token
  printerFor(order.json)({ token: shown }, `${shown}\n`)
  return 0
}

async function signed({ user, role, isExpired, ttlSeconds }: TokenOrder & { from: 'key' }): Promise<string> {
  const { JWT_LIFETIME_SECONDS: usual } = loadConfig({ JWT_LIFETIME_SECONDS: tokenSettings.JWT_LIFETIME_SECONDS })
  const lifetimeSeconds = ttlSeconds ?? usual
  const behind = isExpired ? lifetimeSeconds * 1000 + MINUTE : 0
  const clock = { now: () => new Date(Date.now() - behind) }
  const tokens = createTokens({ keys: { current: localRun(env).tokenKeys() }, lifetimeSeconds, clock })
  return tokens.issue(user, role)
}

/** Changes the first character of the signature: still base64url, still of the same length. */
function tampered(token: string): string {
  const start = token.lastIndexOf('.') + 1
  return `${token.slice(0, start)}${token[start] === 'A' ? 'B' : 'A'}${token.slice(start + 1)}`
}

if (import.meta.main) await runCommand({ name: 'token', usage: USAGE, run: (args) => print(readTokenOrder(args)) })
