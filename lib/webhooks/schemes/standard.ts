import type { Buffer } from 'node:buffer'
import { readBase64, readSeconds } from './encoding.ts'
import { HMAC_SHA256_WHSEC } from './methods.ts'
import { REFUSALS, type SignatureScheme } from './scheme.ts'

/** Standard Webhooks, "Signature scheme": a list of `v1,<base64>` over `id.timestamp.body`. */
export function standardWebhooks(prefix: 'webhook' | 'svix'): SignatureScheme {
  const header = `${prefix}-signature`
  const idHeader = `${prefix}-id`
  const timeHeader = `${prefix}-timestamp`
  return {
    header,
    methods: [HMAC_SHA256_WHSEC],
    read({ headers, body }) {
      const id = headers[idHeader]
      const timestamp = headers[timeHeader] ?? ''
      const signedAt = readSeconds(timestamp)
      const signatures = signaturesIn(headers[header] ?? '')
      if (!id || signedAt === undefined || signatures.length === 0) return undefined
      return { method: HMAC_SHA256_WHSEC, signatures, signed: () => [`${id}.${timestamp}.`, body], signedAt }
    },
    toleranceSeconds: 300,
    refusals: REFUSALS,
  }
}

/** Ignores entries of other versions. */
function signaturesIn(list: string): readonly Buffer[] {
  const signatures: Buffer[] = []
  for (const entry of list.split(' ')) {
    const signature = entry.startsWith('v1,') ? readBase64(entry.slice(3)) : undefined
    if (signature) signatures.push(signature)
  }
  return signatures
}
