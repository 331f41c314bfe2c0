import type { Rule } from '../config.ts'
import { keyRing, type RingKey, weakRing } from './key-ring.ts'
import { parsed } from './values.ts'

/** RFC 2104 section 3: a key for HMAC-SHA-256 has at least the size of the hash. */
const MINIMUM_KEY_BYTES = 32

/** The ring of keys of the audit trail: the first one seals, all of them verify. */
export const auditKeySettings = { AUDIT_KEYS: parsed(keyRing(MINIMUM_KEY_BYTES)) }

interface Sealing {
  readonly STAGE: string
  readonly AUDIT_KEYS: readonly RingKey[]
}

/** A deployed stage seals neither with the key that a local run made nor with one that a person made up. */
export const strongAuditKeysDeployed: Rule<Sealing> = {
  settings: ['STAGE', 'AUDIT_KEYS'],
  broken: ({ STAGE, AUDIT_KEYS }) => (STAGE === 'local' ? undefined : weakRing('AUDIT_KEYS', AUDIT_KEYS)),
}
