import { Buffer } from 'node:buffer'
import { listOf, parsed, type Rule, whole, withDefault } from '../config.ts'

/** A secret key and its name. */
export interface RingKey {
  readonly kid: string
  readonly secret: Uint8Array<ArrayBuffer>
}

/** The `kid` of a key that a local run makes for itself. */
export const LOCAL_KEY_ID = 'local'

/** A reader of `kid:base64url`, separated by commas. @param minimum bytes of each key */
function keyRing(minimum: number): (text: string) => readonly RingKey[] {
  function keyIn(entry: string, index: number): RingKey {
    const [, kid, encoded] = /^([\w.-]{1,64}):([A-Za-z0-9_-]+)$/.exec(entry) ?? []
    if (kid === undefined || encoded === undefined) throw new Error(`key ${index + 1} must be kid:base64url`)
    const secret = new Uint8Array(Buffer.from(encoded, 'base64url'))
    if (secret.length < minimum) throw new Error(`key ${index + 1} must have at least ${minimum} bytes`)
    return { kid, secret }
  }

  return (text) => {
    const keys = listOf(text).map(keyIn)
    if (keys.length === 0) throw new Error('must hold at least one key')
    if (new Set(keys.map(({ kid }) => kid)).size < keys.length) throw new Error('must not name a kid twice')
    return keys
  }
}

/** Random keys of 32 or 64 bytes have more different values than that. */
const MINIMUM_VALUES = 20

/** Why a deployed stage refuses keys: a local run made one, or a person made one up; undefined if it accepts them. */
function weakRing(setting: string, keys: readonly RingKey[]): string | undefined {
  if (keys.some(({ kid }) => kid === LOCAL_KEY_ID))
    return `${setting}: the key "${LOCAL_KEY_ID}" belongs to local runs only`
  const typed = keys.findIndex(({ secret }) => new Set(secret).size < MINIMUM_VALUES)
  return typed < 0 ? undefined : `${setting}: key ${typed + 1} must be random on a deployed stage`
}

/** RFC 7518 section 3.2: a key for HS512 has at least the size of the hash. */
const MINIMUM_KEY_BYTES = 64

/** The ring of keys, of which the first signs, and how long a token lives. */
export const tokenSettings = {
  /** `kid:base64url,kid:base64url`, at least 64 bytes each; the first signs @default made at the first start */
  JWT_KEYS: parsed(keyRing(MINIMUM_KEY_BYTES)),
  /** How long a token is good */
  JWT_LIFETIME_SECONDS: withDefault(whole(1, 31_536_000), 86_400),
}

interface Signing {
  readonly STAGE: string
  readonly JWT_KEYS: readonly RingKey[]
}

/** A deployed stage signs neither with the key that a local run made nor with one that a person made up. */
export const strongKeysDeployed: Rule<Signing> = {
  settings: ['STAGE', 'JWT_KEYS'],
  broken: ({ STAGE, JWT_KEYS }) => (STAGE === 'local' ? undefined : weakRing('JWT_KEYS', JWT_KEYS)),
}
