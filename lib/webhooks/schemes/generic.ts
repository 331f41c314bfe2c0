import { readHex, readSeconds } from './encoding.ts'
import { HMAC_SHA256 } from './methods.ts'
import { REFUSALS, type SignatureScheme } from './scheme.ts'

/** A time, as it is signed before a body: a body that begins so may be that of a timed call, which moved its time there. */
const TIMED = /^\d+\./

/** The scheme of every name without one of its own: `X-Signature`, and optionally `X-Timestamp` (webhooks-17). */
export const generic: SignatureScheme = {
  header: 'x-signature',
  methods: [HMAC_SHA256],
  read({ headers, body }) {
    const signature = readHex((headers['x-signature'] ?? '').replace(/^sha256=/, ''))
    const timestamp = headers['x-timestamp']
    if (timestamp === undefined) {
      if (!signature || TIMED.test(body.toString('latin1', 0, 32))) return undefined
      return { method: HMAC_SHA256, signatures: [signature], signed: () => [body] }
    }
    const signedAt = readSeconds(timestamp)
    if (!signature || signedAt === undefined) return undefined
    return { method: HMAC_SHA256, signatures: [signature], signed: () => [`${timestamp}.`, body], signedAt }
  },
  toleranceSeconds: 300,
  refusals: REFUSALS,
}
