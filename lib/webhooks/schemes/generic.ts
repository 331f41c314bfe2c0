import { readHex, readSeconds } from './encoding.ts'
import { HMAC_SHA256 } from './methods.ts'
import { REFUSALS, type SignatureScheme } from './scheme.ts'

/** The decisions' own scheme for every name without one: `X-Signature`, and optionally `X-Timestamp`. */
export const generic: SignatureScheme = {
  header: 'x-signature',
  methods: [HMAC_SHA256],
  read({ headers, body }) {
    const signature = readHex((headers['x-signature'] ?? '').replace(/^sha256=/, ''))
    const timestamp = headers['x-timestamp']
    if (timestamp === undefined)
      return signature && { method: HMAC_SHA256, signatures: [signature], signed: () => [body] }
    const signedAt = readSeconds(timestamp)
    if (!signature || signedAt === undefined) return undefined
    return { method: HMAC_SHA256, signatures: [signature], signed: () => [`${timestamp}.`, body], signedAt }
  },
  toleranceSeconds: 300,
  refusals: REFUSALS,
}
