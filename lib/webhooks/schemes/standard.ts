import { Buffer } from 'node:buffer'
import { readBase64, readSeconds } from './encoding.ts'
import { HMAC_SHA256_WHSEC, TOKEN } from './methods.ts'
import { REFUSALS, type SignatureScheme } from './scheme.ts'

/** Standard Webhooks, "Signature scheme": a list of `v1,<base64>` over `id.timestamp.body`. */
function standard(prefix: 'webhook' | 'svix'): SignatureScheme {
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

/** Entries of another version count for nothing. */
function signaturesIn(list: string): readonly Buffer[] {
  const signatures: Buffer[] = []
  for (const entry of list.split(' ')) {
    const signature = entry.startsWith('v1,') ? readBase64(entry.slice(3)) : undefined
    if (signature) signatures.push(signature)
  }
  return signatures
}

export const standardWebhooks = standard('webhook')
export const svix = standard('svix')

/**
 * docs.gitlab.com, "Webhooks": a signing token signs as Standard Webhooks say, a secret token is sent as it is. Which of
 * the two a call uses, its headers tell; either proves the same secret.
 */
export const gitlab: SignatureScheme = {
  ...standardWebhooks,
  methods: [HMAC_SHA256_WHSEC, TOKEN],
  read(call) {
    if (call.headers['webhook-signature'] !== undefined) return standardWebhooks.read(call)
    const token = call.headers['x-gitlab-token']
    return token ? { method: TOKEN, signatures: [Buffer.from(token)], signed: () => [] } : undefined
  },
}
