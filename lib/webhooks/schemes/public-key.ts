import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { fromUtf8 } from '../../platform/utf8.ts'
import { readBase64, readBase64url, readHex, readInstant, readTenDigits } from './encoding.ts'
import { ECDSA_P256, ED25519, ES256_JWK, RSA_SHA256_NAMED } from './methods.ts'
import { ANY_AGE, REFUSALS, type SignatureScheme } from './scheme.ts'

/** Providers that sign with a private key; the public one is configured, never fetched from where a call says. */

/** discord.com/developers/docs, "Validating security request headers". */
export const discord: SignatureScheme = {
  header: 'x-signature-ed25519',
  methods: [ED25519],
  read({ headers, body }) {
    const timestamp = headers['x-signature-timestamp'] ?? ''
    const signedAt = readTenDigits(timestamp)
    const signature = readHex(headers['x-signature-ed25519'] ?? '')
    if (!signature || signedAt === undefined) return undefined
    return { method: ED25519, signatures: [signature], signed: () => [timestamp, body], signedAt }
  },
  toleranceSeconds: ANY_AGE,
  refusals: REFUSALS,
}

const SENDGRID = 'x-twilio-email-event-webhook'

/** docs.sendgrid.com, "Getting started with the Event Webhook security features". */
export const sendgrid: SignatureScheme = {
  header: `${SENDGRID}-signature`,
  methods: [ECDSA_P256],
  read({ headers, body }) {
    const timestamp = headers[`${SENDGRID}-timestamp`] ?? ''
    const signedAt = readTenDigits(timestamp)
    const signature = readBase64(headers[`${SENDGRID}-signature`] ?? '')
    if (!signature || signedAt === undefined) return undefined
    return { method: ECDSA_P256, signatures: [signature], signed: () => [timestamp, body], signedAt }
  },
  toleranceSeconds: ANY_AGE,
  refusals: REFUSALS,
}

/** plaid.com/docs/api/webhooks/webhook-verification: a JWS that vouches for the body's hash. */
export const plaid: SignatureScheme = {
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
        // A token that vouches for another body signs nothing of this one.
        const isThisBody = bodyHash === createHash('sha256').update(body).digest('hex')
        const isPlaids = alg === 'ES256' && crit === undefined && typeof iat === 'number'
        return isPlaids && isThisBody ? { signedAt: iat * 1000 } : undefined
      },
    }
  },
  toleranceSeconds: 300,
  refusals: REFUSALS,
}

/** The JSON object in a part of a JWS; none for whatever else stands there. */
function claimsOf(part: string): Readonly<Record<string, unknown>> {
  const text = fromUtf8(readBase64url(part) ?? new Uint8Array())
  try {
    const parsed: unknown = JSON.parse(text ?? '')
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}

/** PayPal sends again for three days (the page below, "Delivery"); an hour is for a retry that is late. */
const PAYPAL_HORIZON = 3 * 86_400 + 3600

/** developer.paypal.com/api/rest/webhooks/rest, "Self verification"; the key's name is the id of the webhook. */
export const paypal: SignatureScheme = {
  header: 'paypal-transmission-sig',
  methods: [RSA_SHA256_NAMED],
  read({ headers, body }) {
    const id = headers['paypal-transmission-id']
    const time = headers['paypal-transmission-time'] ?? ''
    const signedAt = readInstant(time)
    const signature = readBase64(headers['paypal-transmission-sig'] ?? '')
    const isRsa = headers['paypal-auth-algo']?.toUpperCase() === 'SHA256WITHRSA'
    if (!signature || !id || signedAt === undefined || !isRsa) return undefined
    const signed = (webhookId: string) => [`${id}|${time}|${webhookId}|${crc32(body)}`]
    return { method: RSA_SHA256_NAMED, signatures: [signature], signed, signedAt }
  },
  toleranceSeconds: PAYPAL_HORIZON,
  refusals: REFUSALS,
}
