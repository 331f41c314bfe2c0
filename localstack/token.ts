import { env, stdout } from 'node:process'
import { createTokens } from '../lib/auth/token.ts'
import type { Clock } from '../lib/platform/clock.ts'
import { loadConfig } from '../lib/platform/config.ts'
import { tokenSettings } from '../lib/platform/settings/token.ts'
import { isRole, type Role } from '../lib/users/role.ts'
import { operatorOf, renewedToken } from './api-client.ts'
import { addressOption, readOptions, runCommand, UsageError, wholeOption } from './command.ts'
import users from './demo-users.json' with { type: 'json' }
import { localRun } from './local-run.ts'

const USAGE = `npm run token -- <user> [options]

Prints a token for the user, and nothing else:

  TOKEN=$(npm run --silent token -- admin)
  curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3000/api/admin/secure

It is signed with the key of the local run: JWT_KEYS, else that of the data folder.

  --ttl N         good for N seconds (JWT_LIFETIME_SECONDS)
  --role ROLE     ROLE_ADMIN or ROLE_USER (the role of the demo user)
  --expired       good until a minute ago
  --tamper        with a signature that does not hold
  --url ADDRESS   from the login of that service, as whoever GATEHOUSE_PASSWORD is the password of
`

const OPTIONS = {
  ttl: { type: 'string' },
  role: { type: 'string' },
  expired: { type: 'boolean', default: false },
  tamper: { type: 'boolean', default: false },
  url: { type: 'string' },
} as const

/** What the signature cannot be asked for where somebody else signs. */
const OWN = ['ttl', 'role', 'expired'] as const

/** In milliseconds. */
const MINUTE = 60_000

await runCommand({ name: 'token', usage: USAGE, run: print })

async function print(args: readonly string[]): Promise<number> {
  const { values: options, positionals } = readOptions({ args: [...args], options: OPTIONS, allowPositionals: true })
  const [user, ...more] = positionals
  if (!user || more.length > 0) throw new UsageError('Name one user')
  const token = options.url === undefined ? await signed(user, options) : await fetched(user, options.url, options)
  stdout.write(`${options.tamper ? tampered(token) : token}\n`)
  return 0
}

type Options = { readonly ttl?: string; readonly role?: string; readonly expired: boolean }

async function signed(user: string, { ttl, role, expired }: Options): Promise<string> {
  const { JWT_LIFETIME_SECONDS: usual } = loadConfig({ JWT_LIFETIME_SECONDS: tokenSettings.JWT_LIFETIME_SECONDS })
  const lifetimeSeconds = ttl === undefined ? usual : wholeOption('ttl', ttl, [1, 31_536_000])
  const clock = expired ? clockBehind(lifetimeSeconds * 1000 + MINUTE) : clockBehind(0)
  const wanted = roleOf(user, role)
  const tokens = await createTokens({ keys: localRun(env).tokenKeys(), lifetimeSeconds, clock })
  return tokens.issue(user, wanted)
}

async function fetched(user: string, url: string, options: Options): Promise<string> {
  const other = OWN.find((name) => options[name])
  if (other) throw new UsageError(`--${other} is for the key of the local run, not for the login of --url`)
  const address = addressOption(url)
  return renewedToken(address, operatorOf(address, user, { ...env, GATEHOUSE_TOKEN: undefined }))
}

function clockBehind(milliseconds: number): Clock {
  return { now: () => new Date(Date.now() - milliseconds) }
}

function roleOf(user: string, given: string | undefined): Role {
  const demo = users.find(({ username }) => username === user)
  const role = given ?? demo?.role
  if (isRole(role)) return role
  if (given !== undefined) throw new UsageError('--role must be ROLE_ADMIN or ROLE_USER')
  throw new UsageError(`${user} is no demo user with a role: name one with --role`)
}

/** Another first character of the signature: still base64url, still as long. */
function tampered(token: string): string {
  const start = token.lastIndexOf('.') + 1
  return `${token.slice(0, start)}${token[start] === 'A' ? 'B' : 'A'}${token.slice(start + 1)}`
}
