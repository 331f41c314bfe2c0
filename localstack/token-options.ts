import { isRole, type Role } from '../lib/users/role.ts'
import { addressOption, readOptions, UsageError, wholeOption } from './command.ts'
import users from './demo-users.json' with { type: 'json' }

export const TOKEN_USAGE = `npm run token -- <user> [options]

Prints a token for the user, and nothing else:

  TOKEN=$(npm run --silent token -- admin)
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
  ttl: { type: 'string' },
  role: { type: 'string' },
  expired: { type: 'boolean', default: false },
  tamper: { type: 'boolean', default: false },
  url: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

/** The options that only work with the local run's key. */
const OWN = ['ttl', 'role', 'expired'] as const

/** A token to sign here, or to get from a login. */
export type TokenOrder = (LocalToken | ForeignToken) & {
  readonly user: string
  readonly isTampered: boolean
  readonly json: boolean
}

export interface LocalToken {
  readonly from: 'key'
  readonly role: Role
  readonly isExpired: boolean
  /** Undefined means the default lifetime. */
  readonly ttlSeconds: number | undefined
}

interface ForeignToken {
  readonly from: 'login'
  readonly url: URL
}

/** Parses the arguments. @throws UsageError when they make no order */
export function readTokenOrder(args: readonly string[]): TokenOrder {
  const { values, positionals } = readOptions({ args: [...args], options: OPTIONS, allowPositionals: true })
  const [user, ...more] = positionals
  if (!user || more.length > 0) throw new UsageError('Name one user')
  const { ttl, role, expired: isExpired, tamper: isTampered, url, json } = values
  if (url === undefined) {
    const ttlSeconds = ttl === undefined ? undefined : wholeOption('--ttl', ttl, [1, 31_536_000])
    return { user, isTampered, json, from: 'key', role: roleOf(user, role), isExpired, ttlSeconds }
  }
  const other = OWN.find((name) => values[name])
  if (other) throw new UsageError(`--${other} is for the key of the local run, not for the login of --url`)
  return { user, isTampered, json, from: 'login', url: addressOption(url) }
}

function roleOf(user: string, given: string | undefined): Role {
  const role = given ?? users.find(({ username }) => username === user)?.role
  if (isRole(role)) return role
  if (given !== undefined) throw new UsageError('--role must be ROLE_ADMIN or ROLE_USER')
  throw new UsageError(`${user} is no demo user with a role: name one with --role`)
}
