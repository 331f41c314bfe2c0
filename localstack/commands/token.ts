import { env, stderr } from 'node:process'
import { type CompactJWSHeaderParameters, CompactSign, decodeJwt, decodeProtectedHeader, generateKeyPair } from 'jose'
import { PROFILES } from '../../lib/auth/profile.ts'
import { createTokens } from '../../lib/auth/token.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { edgeSettings } from '../../lib/runtime/settings/edge.ts'
import { type RingKey, tokenSettings } from '../../lib/runtime/settings/token.ts'
import { isRole, type Role } from '../../lib/users/role.ts'
import { addressOption, FLAG, printerFor, readOptions, runCommand, TEXT, UsageError, wholeOption } from '../command.ts'
import { localRun } from '../local-run.ts'
import { askAt } from '../operator/api-client.ts'
import { loginOf, tokenOf } from '../operator/operator.ts'
import { passwordUsers } from '../users.ts'

const USAGE = `npx gatehouse token <user> [options]

Prints a token for the user, and nothing else:

  TOKEN=$(npx gatehouse token admin)
  curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3000/api/admin/secure

It is signed with the key of the local run: JWT_KEYS, or else the key in the data folder. HTTP accepts it in the profiles default
and jwt, gRPC and STOMP in all profiles.

  --ttl N         valid for N seconds (JWT_LIFETIME_SECONDS)
  --expired       expired a minute ago
  --tamper        with an invalid signature
  --sub --role --uid --iss --aud --jti TEXT, --iat --nbf --exp TIME
                  claims, times in seconds since 1970 or in ISO 8601; an empty text leaves one out
  --kid --typ TEXT, --alg ALG
                  members of the header; HS256, HS384 and none use the key of the run, others a new one
  --url ADDRESS   get it from the login of this service, with GATEHOUSE_PASSWORD
  --json          one object: token
`

const OPTIONS = {
  ttl: TEXT,
  role: TEXT,
  expired: FLAG,
  tamper: FLAG,
  sub: TEXT,
  uid: TEXT,
  iss: TEXT,
  aud: TEXT,
  jti: TEXT,
  iat: TEXT,
  nbf: TEXT,
  exp: TEXT,
  kid: TEXT,
  alg: TEXT,
  typ: TEXT,
  url: TEXT,
  json: FLAG,
} as const

const TEXTS = ['sub', 'role', 'uid', 'iss', 'aud', 'jti'] as const
const TIMES = ['iat', 'nbf', 'exp'] as const
const HEADER = ['kid', 'alg', 'typ'] as const

const ALGORITHMS = ['HS256', 'HS384', 'HS512', 'none', 'RS256', 'PS256', 'ES256', 'EdDSA']

/** The options that only work with the local run's key. */
const OWN = ['ttl', 'expired', ...TEXTS, ...TIMES, ...HEADER] as const

/** Parses the arguments. @throws UsageError when they make no order */
export function readTokenOrder(args: readonly string[]) {
  const { values, positionals } = readOptions({ args: [...args], options: OPTIONS, allowPositionals: true })
  const [user, ...more] = positionals
  if (!user || more.length > 0) throw new UsageError('Name one user')
  const { ttl, role, expired: isExpired, tamper: isTampered, url, json } = values
  if (url === undefined) {
    const ttlSeconds = ttl === undefined ? undefined : wholeOption('--ttl', ttl, [1, 31_536_000])
    const [claims, header] = [{ ...given(values, TEXTS), ...given(values, TIMES, timeOption) }, given(values, HEADER)]
    if (header['alg'] !== undefined && !ALGORITHMS.includes(`${header['alg']}`))
      throw new UsageError(`--alg must be one of ${ALGORITHMS.join(', ')}`)
    const made = { role: roleOf(user, role || undefined), isExpired, ttlSeconds, claims, header }
    return { user, isTampered, json, from: 'key', ...made } as const
  }
  const other = OWN.find((name) => values[name])
  if (other) throw new UsageError(`--${other} is for the key of the local run, not for the login of --url`)
  return { user, isTampered, json, from: 'login', url: addressOption(url) } as const
}

type Members = Readonly<Record<string, string | number | undefined>>

/** The members that options set; those that an empty text leaves out are undefined. */
function given<N extends string>(
  values: Readonly<Partial<Record<N, unknown>>>,
  names: readonly N[],
  read: (name: N, text: string) => string | number = (_, text) => text,
): Members {
  const set = names.filter((name) => values[name] !== undefined)
  return Object.fromEntries(set.map((name) => [name, values[name] === '' ? undefined : read(name, `${values[name]}`)]))
}

function timeOption(name: string, text: string): number {
  const seconds = /^\d{1,12}$/.test(text) ? Number(text) : Math.floor(Date.parse(text) / 1000)
  if (Number.isNaN(seconds)) throw new UsageError(`--${name} must be a time of ISO 8601, or seconds since 1970`)
  return seconds
}

function roleOf(user: string, given: string | undefined): Role {
  const role = given ?? passwordUsers().find(({ username }) => username === user)?.role
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
  const { PROFILE } = loadConfig({ PROFILE: edgeSettings.PROFILE })
  if (order.from === 'key' && !PROFILES[PROFILE].bearer)
    stderr.write(`The profile ${PROFILE} takes no bearer tokens over HTTP: this one is for gRPC and STOMP.\n`)
  const shown = order.isTampered ? tampered(token) : token
  printerFor(order.json)({ token: shown }, `${shown}\n`)
  return 0
}

async function signed(order: TokenOrder & { from: 'key' }): Promise<string> {
  const { user, role, isExpired, ttlSeconds, claims, header } = order
  const { JWT_LIFETIME_SECONDS: usual } = loadConfig({ JWT_LIFETIME_SECONDS: tokenSettings.JWT_LIFETIME_SECONDS })
  const lifetimeSeconds = ttlSeconds ?? usual
  const behind = isExpired ? lifetimeSeconds * 1000 + MINUTE : 0
  const clock = { now: () => new Date(Date.now() - behind) }
  const keys = localRun(env).tokenKeys()
  const token = await createTokens({ keys: { current: keys }, lifetimeSeconds, clock }).issue(user, role)
  return Object.keys({ ...claims, ...header }).length === 0 ? token : changed(token, claims, header, keys)
}

/** The token with other members, signed again, by the key of its `kid` if the run has it. */
async function changed(token: string, claims: Members, header: Members, keys: readonly RingKey[]): Promise<string> {
  const head = { ...decodeProtectedHeader(token), ...header } as CompactJWSHeaderParameters
  const payload = JSON.stringify({ ...decodeJwt(token), ...claims })
  if ((head.alg ?? 'none') === 'none') return `${[JSON.stringify(head), payload].map(encoded).join('.')}.`
  const ownKey = (keys.find(({ kid }) => kid === head.kid) ?? keys[0])?.secret
  const key = head.alg.startsWith('HS') ? ownKey : (await generateKeyPair(head.alg)).privateKey
  if (key === undefined) throw new Error('the ring holds no key')
  return new CompactSign(new TextEncoder().encode(payload)).setProtectedHeader(head).sign(key)
}

const encoded = (text: string) => Buffer.from(text).toString('base64url')

/** Changes the first character of the signature: still base64url, still of the same length. */
function tampered(token: string): string {
  const start = token.lastIndexOf('.') + 1
  return `${token.slice(0, start)}${token[start] === 'A' ? 'B' : 'A'}${token.slice(start + 1)}`
}

if (import.meta.main) await runCommand({ name: 'token', usage: USAGE, run: (args) => print(readTokenOrder(args)) })
