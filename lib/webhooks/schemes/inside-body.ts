import type { Buffer } from 'node:buffer'
import { ServiceError } from '../../errors.ts'
import { parseJson } from '../json.ts'
import { pick, valueAt } from '../pick.ts'
import { readBase64, readHex, readMilliseconds, readTenDigits } from './encoding.ts'
import { HMAC_SHA256, HMAC_SHA256_HEX_KEY } from './methods.ts'
import { ANY_AGE, REFUSALS, type SignatureScheme } from './scheme.ts'

/** Providers whose proof stands in the body: it has to be read before it can be believed. */

/** The eight fields that Adyen signs (docs.adyen.com, "Verify HMAC signatures"); nothing else of the body is. */
const ADYEN_FIELDS = [
  ['pspReference'],
  ['originalReference'],
  ['merchantAccountCode'],
  ['merchantReference'],
  ['amount', 'value'],
  ['amount', 'currency'],
  ['eventCode'],
  ['success'],
]

const ADYEN_ITEM = ['NotificationRequestItem']

export const adyen: SignatureScheme = {
  methods: [HMAC_SHA256_HEX_KEY],
  read({ body }) {
    const item = onlyItem(jsonOf(body))
    const signature = readBase64(textAt(item, [...ADYEN_ITEM, 'additionalData', 'hmacSignature']))
    if (!signature) return undefined
    const text = ADYEN_FIELDS.map((path) => textAt(item, [...ADYEN_ITEM, ...path])).join(':')
    return { method: HMAC_SHA256_HEX_KEY, signatures: [signature], signed: () => [text] }
  },
  toleranceSeconds: ANY_AGE,
  refusals: REFUSALS,
}

/** Adyen sends one item in JSON; a second would stand under the signature of the first. */
function onlyItem(payload: unknown): unknown {
  const items = valueAt(payload, ['notificationItems'])
  return Array.isArray(items) && items.length === 1 ? items[0] : undefined
}

/**
 * documentation.mailgun.com, "Securing webhooks": time and token are signed, the body is not. Both have one width, as
 * nothing stands between them.
 */
export const mailgun: SignatureScheme = {
  methods: [HMAC_SHA256],
  read({ body }) {
    const payload = jsonOf(body)
    const timestamp = textAt(payload, ['signature', 'timestamp'])
    const token = textAt(payload, ['signature', 'token'])
    const signedAt = readTenDigits(timestamp)
    const signature = readHex(textAt(payload, ['signature', 'signature']))
    if (!signature || signedAt === undefined || token.length !== 50) return undefined
    return { method: HMAC_SHA256, signatures: [signature], signed: () => [timestamp + token], signedAt }
  },
  toleranceSeconds: ANY_AGE,
  refusals: REFUSALS,
}

/** linear.app/developers/webhooks, "Securing webhooks": the body is signed, and the time stands in it. */
export const linear: SignatureScheme = {
  header: 'linear-signature',
  methods: [HMAC_SHA256],
  read({ headers, body }) {
    const signature = readHex(headers['linear-signature'] ?? '')
    const signedAt = signature && readMilliseconds(textAt(jsonOf(body), ['webhookTimestamp']))
    if (!signature || signedAt === undefined) return undefined
    return { method: HMAC_SHA256, signatures: [signature], signed: () => [body], signedAt }
  },
  toleranceSeconds: 60,
  refusals: REFUSALS,
}

/** Undefined for a body that is no JSON. */
function jsonOf(body: Buffer): unknown {
  try {
    return parseJson(body)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

function textAt(payload: unknown, path: readonly string[]): string {
  return pick(payload, path) ?? ''
}
