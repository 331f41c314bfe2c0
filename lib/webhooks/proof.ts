import type { EventIdentity } from './identity.ts'
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
  /** Whether the type of the event is under the signature, and whether its id is, or what stands for it. */
  readonly typeSigned: boolean
  readonly idSigned: boolean
  /** The call was older than its scheme allows, and its content new. */
  readonly stale?: true | undefined
}

/** Of a call that had to prove nothing. */
export const UNPROVEN: Proof = { level: 'none', typeSigned: false, idSigned: false }

/** The proof of a call; `none` if nothing had to be proven. */
export function proofOf(
  proven: Proven | undefined,
  { rule, typeSigned, idSigned }: Pick<EventIdentity, 'rule' | 'typeSigned' | 'idSigned'>,
): Proof {
  if (!proven) return UNPROVEN
  const { key, signedAt, stale } = proven
  return { level: levelOf(proven, rule), key, signedAt, typeSigned, idSigned, ...(stale && { stale }) }
}

function levelOf({ covers, signedAt }: Proven, rule: EventIdentity['rule']): ProofLevel {
  if (covers === 'nothing') return 'token'
  if (covers !== 'body') return covers
  return signedAt !== undefined && rule !== 'id+body' ? 'full' : 'body'
}
