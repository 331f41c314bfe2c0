import type { Rule } from '../config.ts'
import { keyRing, type RingKey, weakRing } from './key-ring.ts'
import { parsed, whole, withDefault } from './values.ts'

/** RFC 7518 section 3.2: a key for HS512 has at least the size of the hash. */
const MINIMUM_KEY_BYTES = 64

/** The ring of keys, of which the first signs, and how long a token lives. */
export const tokenSettings = {
  JWT_KEYS: parsed(keyRing(MINIMUM_KEY_BYTES)),
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
