import { readHex, readSeconds } from './encoding.ts'
import { HMAC_SHA256 } from './methods.ts'
import { REFUSALS, type SignatureScheme } from './scheme.ts'

/** `v0=<hex>` over `v0:timestamp:body`. */
export function versioned(header: string, timeHeader: string): SignatureScheme {
  return {
    header,
    methods: [HMAC_SHA256],
    read({ headers, body }) {
      const timestamp = headers[timeHeader] ?? ''
      const signedAt = readSeconds(timestamp)
      const value = headers[header] ?? ''
      const signature = value.startsWith('v0=') ? readHex(value.slice(3)) : undefined
      if (!signature || signedAt === undefined) return undefined
      return { method: HMAC_SHA256, signatures: [signature], signed: () => [`v0:${timestamp}:`, body], signedAt }
    },
    toleranceSeconds: 300,
    refusals: REFUSALS,
  }
}
