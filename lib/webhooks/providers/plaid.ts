import { Buffer } from 'node:buffer'
import { fromUtf8 } from '../../runtime/utf8.ts'
import { joined, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { readBase64url } from '../schemes/encoding.ts'
import { ES256_JWK, sha256 } from '../schemes/methods.ts'
import { REFUSALS, type SignatureScheme } from '../schemes/scheme.ts'

/** plaid.com/docs/api/webhooks/webhook-verification: a JWS that signs the body's hash. */
const scheme: SignatureScheme = {
  header: 'plaid-verification',
  methods: [ES256_JWK],
  read({ headers, body }) {
    const [header = '', payload = '', mac = '', ...more] = (headers['plaid-verification'] ?? '').split('.')
    const signature = readBase64url(mac)
    if (!signature || more.length > 0) return undefined
    return {
      method: ES256_JWK,
      signatures: [signature],
      signed: () => [`${header}.${payload}`],
      confirm() {
        const { alg, crit } = claimsOf(header)
        const { iat, request_body_sha256: bodyHash } = claimsOf(payload)
        // A token with the hash of another body does not sign this body.
        const isThisBody = bodyHash === sha256(body).toString('hex')
        const isPlaids = alg === 'ES256' && crit === undefined && typeof iat === 'number'
        return isPlaids && isThisBody ? { signedAt: iat * 1000 } : undefined
      },
    }
  },
  toleranceSeconds: 300,
  refusals: REFUSALS,
}

export const provider = {
  scheme,
  /** Daily news of an item has the same bytes each day; only the signed time tells two apart. */
  identity: [{ rule: 'time+body' }],
  /** support.plaid.com: tries for 24 hours, which a time of five minutes needs renewed. */
  retries: retriesFor(24, true),
  type: joined(':', textIn('webhook_type'), textIn('webhook_code')),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['TRANSACTIONS:SYNC_UPDATES_AVAILABLE', 'ITEM:ERROR'],
  draft: (event, { id }) => {
    const [webhook_type, webhook_code] = event.split(':')
    return { body: { webhook_type, webhook_code, item_id: id, environment: 'sandbox' } }
  },
  prove: ({ base64url, seconds }, { body }) => {
    const bodyHash = sha256(body).toString('hex')
    const parts = [
      { alg: 'ES256', typ: 'JWT' },
      { iat: Number(seconds), request_body_sha256: bodyHash },
    ]
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    return { headers: { 'plaid-verification': [...signed, base64url].join('.') } }
  },
  described: {
    header: '`Plaid-Verification`',
    secret: 'public JSON Web Key, as text',
    signed: "time (300 s), the body's SHA-256",
  },
})

/** The JSON object in a part of a JWS; an empty object for anything else. */
function claimsOf(part: string): Readonly<Record<string, unknown>> {
  const text = fromUtf8(readBase64url(part) ?? new Uint8Array())
  try {
    const parsed: unknown = JSON.parse(text ?? '')
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}
