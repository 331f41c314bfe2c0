import { randomBytes } from 'node:crypto'
import { HMAC_SHA256_WHSEC } from '../../lib/webhooks/schemes/methods.ts'
import { UsageError } from '../command.ts'

/** Standard Webhooks 1.0.0, "Signature scheme": the length of a key in bytes. */
const LENGTH = { least: 24, most: 64 } as const

export interface SigningSecret {
  /** `whsec_` and base64. */
  readonly value: string
  /** Made for this run; one that was given is not printed again. */
  readonly isNew: boolean
}

/** The given secret, or a new one. @throws UsageError for a text that is no secret */
export function signingSecret(given: string | undefined): SigningSecret {
  if (given === undefined || given === '') return { value: `whsec_${randomBytes(32).toString('base64')}`, isNew: true }
  const length = HMAC_SHA256_WHSEC.readKey(given)?.material.symmetricKeySize ?? 0
  if (given.startsWith('whsec_') && length >= LENGTH.least && length <= LENGTH.most)
    return { value: given, isNew: false }
  throw new UsageError('The secret must be whsec_ and the base64 of 24 to 64 bytes')
}
