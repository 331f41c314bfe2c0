import type { IdentityRule } from './identity.ts'
import type { Proven } from './verify.ts'

/**
 * What the signature of a call proves about its event: `full` covers the bytes of the body, the id and the time; `body`
 * the bytes alone; `fields` some fields of the body; `checksum` a checksum that anyone can meet with another body. A
 * `token` is sent with the call and bound to nothing in it.
 */
export type ProofLevel = 'full' | 'body' | 'fields' | 'checksum' | 'token' | 'none'

/** How well an event is proven. */
export interface Proof {
  readonly level: ProofLevel
  /** The label of the secret that fitted, never the secret. */
  readonly key?: string | undefined
  /** The signed time. */
  readonly signedAt?: Date | undefined
  /** The call was older than its scheme allows, and its content new. */
  readonly isStale?: true | undefined
}

/** The proof of a call; `none` if nothing had to be proven. */
export function proofOf(proven: Proven | undefined, rule: IdentityRule): Proof {
  if (!proven) return { level: 'none' }
  const { key, signedAt, isStale } = proven
  return { level: levelOf(proven, rule), key, signedAt, ...(isStale && { isStale }) }
}

function levelOf({ covers, signedAt }: Proven, rule: IdentityRule): ProofLevel {
  if (covers === 'nothing') return 'token'
  if (covers !== 'body') return covers
  return signedAt !== undefined && rule !== 'id+body' ? 'full' : 'body'
}
