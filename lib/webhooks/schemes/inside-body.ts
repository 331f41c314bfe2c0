import type { Buffer } from 'node:buffer'
import { fail, ServiceError } from '../../errors.ts'
import { parseJson } from '../json.ts'
import { pick, valueAt } from '../pick.ts'
import { readBase64, readHex, readMilliseconds, readTenDigits } from './encoding.ts'
import { HMAC_SHA256, HMAC_SHA256_HEX_KEY } from './methods.ts'
import { scannerOf } from './scan.ts'
import { ANY_AGE, REFUSALS, type SignatureScheme, UNSIGNED_BODY_BYTES } from './scheme.ts'

/** Providers whose proof stands in the body. It is found there by a scan; the parsed body has to say the same. */

const ADYEN_ITEM = ['notificationItems', '0', 'NotificationRequestItem']

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
].map((path) => [...ADYEN_ITEM, ...path])

const ADYEN_SIGNATURE = [...ADYEN_ITEM, 'additionalData', 'hmacSignature']

const scanAdyen = scannerOf([ADYEN_SIGNATURE, ...ADYEN_FIELDS])

export const adyen: SignatureScheme = {
  methods: [HMAC_SHA256_HEX_KEY],
  read({ body }) {
    if (body.length > UNSIGNED_BODY_BYTES) throw fail('PAYLOAD_TOO_LARGE')
    const [mac = '', ...fields] = scanAdyen(body)
    const signature = readBase64(mac)
    if (!signature) return undefined
    const text = fields.join(':')
    return {
      method: HMAC_SHA256_HEX_KEY,
      signatures: [signature],
      signed: () => [text],
      confirm() {
        const payload = jsonOf(body)
        // Adyen sends one item in JSON; a second would stand under the signature of the first.
        const items = valueAt(payload, ['notificationItems'])
        const isOne = Array.isArray(items) && items.length === 1
        return isOne && isSame(payload, [ADYEN_SIGNATURE, ...ADYEN_FIELDS], [mac, ...fields]) ? {} : undefined
      },
    }
  },
  toleranceSeconds: ANY_AGE,
  refusals: REFUSALS,
}

const MAILGUN_FIELDS = ['signature', 'timestamp', 'token'].map((name) => ['signature', name])

const scanMailgun = scannerOf(MAILGUN_FIELDS)

/**
 * documentation.mailgun.com, "Securing webhooks": time and token are signed, the body is not. Both have one width, as
 * nothing stands between them.
 */
export const mailgun: SignatureScheme = {
  methods: [HMAC_SHA256],
  read({ body }) {
    if (body.length > UNSIGNED_BODY_BYTES) throw fail('PAYLOAD_TOO_LARGE')
    const [mac = '', timestamp = '', token = ''] = scanMailgun(body)
    const signedAt = readTenDigits(timestamp)
    const signature = readHex(mac)
    if (!signature || signedAt === undefined || token.length !== 50) return undefined
    return {
      method: HMAC_SHA256,
      signatures: [signature],
      signed: () => [timestamp + token],
      confirm: () => (isSame(jsonOf(body), MAILGUN_FIELDS, [mac, timestamp, token]) ? { signedAt } : undefined),
    }
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
    if (!signature) return undefined
    return {
      method: HMAC_SHA256,
      signatures: [signature],
      signed: () => [body],
      confirm() {
        const signedAt = readMilliseconds(pick(jsonOf(body), ['webhookTimestamp']) ?? '')
        return signedAt === undefined ? undefined : { signedAt }
      },
    }
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

/** Whether the parsed body says at these paths what the scan found. */
function isSame(payload: unknown, paths: readonly (readonly string[])[], scanned: readonly string[]): boolean {
  return paths.every((path, index) => (pick(payload, path) ?? '') === scanned[index])
}
