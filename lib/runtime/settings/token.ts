import { Buffer } from 'node:buffer'
import type { Rule } from '../config.ts'
import { listOf, parsed, whole, withDefault } from './values.ts'

export interface JwtKey {
  readonly kid: string
  readonly secret: Uint8Array<ArrayBuffer>
}

/** RFC 7518 section 3.2: a key for HS512 has at least the size of the hash. */
const MINIMUM_KEY_BYTES = 64

/** The `kid` of the key that a local run makes for itself. */
export const LOCAL_KEY_ID = 'local'

function signingKey(entry: string, index: number): JwtKey {
  const [, kid, encoded] = /^([\w.-]{1,64}):([A-Za-z0-9_-]+)$/.exec(entry) ?? []
  if (kid === undefined || encoded === undefined) throw new Error(`key ${index + 1} must be kid:base64url`)
  const secret = new Uint8Array(Buffer.from(encoded, 'base64url'))
  if (secret.length < MINIMUM_KEY_BYTES)
    throw new Error(`key ${index + 1} must have at least ${MINIMUM_KEY_BYTES} bytes`)
  return { kid, secret }
}

function keyRing(text: string): readonly JwtKey[] {
  const keys = listOf(text).map(signingKey)
  if (keys.length === 0) throw new Error('must hold at least one key')
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) throw new Error('must not name a kid twice')
  return keys
}

/** The ring of keys, of which the first signs, and how long a token lives. */
export const tokenSettings = {
  JWT_KEYS: parsed(keyRing),
  JWT_LIFETIME_SECONDS: withDefault(whole(1, 31_536_000), 86_400),
}

interface Signing {
  readonly STAGE: string
  readonly JWT_KEYS: readonly JwtKey[]
}

/** 64 random bytes have about 57 different values, and fewer than this never. */
const MINIMUM_VALUES = 20

/** A deployed stage signs neither with the key that a local run made nor with one that somebody typed. */
export const strongKeysDeployed: Rule<Signing> = {
  settings: ['STAGE', 'JWT_KEYS'],
  broken: ({ STAGE, JWT_KEYS }) => {
    if (STAGE === 'local') return undefined
    if (JWT_KEYS.some(({ kid }) => kid === LOCAL_KEY_ID))
      return `JWT_KEYS: the key "${LOCAL_KEY_ID}" belongs to local runs only`
    const typed = JWT_KEYS.findIndex(({ secret }) => new Set(secret).size < MINIMUM_VALUES)
    return typed < 0 ? undefined : `JWT_KEYS: key ${typed + 1} must be random on a deployed stage`
  },
}
