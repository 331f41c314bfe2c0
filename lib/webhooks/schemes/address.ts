import { createHash } from 'node:crypto'
import { fail } from '../../errors.ts'
import { formFields } from '../../platform/form-fields.ts'
import { fromUtf8 } from '../../platform/utf8.ts'
import { readBase64, readMilliseconds } from './encoding.ts'
import { HMAC_SHA1, HMAC_SHA256 } from './methods.ts'
import { ANY_AGE, type Part, REFUSALS, type SignatureScheme, type SignedCall, UNSIGNED_BODY_BYTES } from './scheme.ts'

/** Providers that sign the address they call: it has to be the one that they know. */

/**
 * Path and query of RFC 3986: where nothing stands between address and body, the brace or bracket with which a JSON body
 * begins cannot pass for a part of the address.
 */
const ADDRESS = /^https?:\/\/[^/]+(?:\/[\w\-.~!$&'()*+,;=:@%/?]*)?$/

/** developer.squareup.com, "Validate notifications": the address, then the body. */
export const square: SignatureScheme = {
  header: 'x-square-hmacsha256-signature',
  methods: [HMAC_SHA256],
  read({ headers, url, body }) {
    const signature = readBase64(headers['x-square-hmacsha256-signature'] ?? '')
    if (!signature || !ADDRESS.test(url)) return undefined
    return { method: HMAC_SHA256, signatures: [signature], signed: () => [url, body] }
  },
  toleranceSeconds: ANY_AGE,
  refusals: REFUSALS,
}

/**
 * twilio.com/docs/usage/webhooks/webhooks-security: the address and, of a form, its fields by name; the body of any other
 * call only through its hash in the address.
 */
export const twilio: SignatureScheme = {
  header: 'x-twilio-signature',
  methods: [HMAC_SHA1],
  read(call) {
    const signature = readBase64(call.headers['x-twilio-signature'] ?? '')
    if (!signature) return undefined
    const proof = { method: HMAC_SHA1, signatures: [signature] }
    const bodyHash = bodyHashIn(call.url)
    if (bodyHash !== undefined) {
      // An address that vouches for another body signs nothing of this one.
      const isThisBody = () => bodyHash === createHash('sha256').update(call.body).digest('hex')
      return { ...proof, signed: () => [call.url], confirm: () => (isThisBody() ? {} : undefined) }
    }
    const signed = formText(call)
    return signed && { ...proof, signed: () => signed }
  },
  toleranceSeconds: ANY_AGE,
  refusals: REFUSALS,
}

function bodyHashIn(url: string): string | undefined {
  return (URL.canParse(url) && new URL(url).searchParams.get('bodySHA256')) || undefined
}

/**
 * Undefined for a body that Twilio would sign through its hash.
 * @throws ServiceError `PAYLOAD_TOO_LARGE` for a form of too many bytes or fields
 */
function formText({ url, headers, body }: SignedCall): readonly Part[] | undefined {
  if (body.length === 0) return [url]
  const isForm = headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false
  if (!isForm) return undefined
  if (body.length > UNSIGNED_BODY_BYTES) throw fail('PAYLOAD_TOO_LARGE')
  const form = fromUtf8(body)
  if (form === undefined) return undefined
  const fields = formFields(form)
  if (!fields) throw fail('PAYLOAD_TOO_LARGE')
  return [url, ...sortedFields(fields)]
}

/** By name, then by value; a field that comes twice with one value counts once. */
function sortedFields(fields: readonly (readonly [name: string, value: string])[]): readonly string[] {
  const sorted = fields
    .map(([name, value]) => ({ name, value }))
    .sort((one, other) => compare(one.name, other.name) || compare(one.value, other.value))
  const isRepeated = (index: number) =>
    sorted[index]?.name === sorted[index - 1]?.name && sorted[index]?.value === sorted[index - 1]?.value
  return sorted.filter((_, index) => index === 0 || !isRepeated(index)).map(({ name, value }) => name + value)
}

function compare(one: string, other: string): number {
  return Number(one > other) - Number(one < other)
}

/** developers.hubspot.com, "Validating requests", v3: method, address, body and time. */
export const hubspot: SignatureScheme = {
  header: 'x-hubspot-signature-v3',
  methods: [HMAC_SHA256],
  read({ method: verb, url, headers, body }) {
    const timestamp = headers['x-hubspot-request-timestamp'] ?? ''
    // Of one width: the body that is signed before it can lend it no digit.
    const signedAt = timestamp.length === 13 ? readMilliseconds(timestamp) : undefined
    const signature = readBase64(headers['x-hubspot-signature-v3'] ?? '')
    if (!signature || signedAt === undefined || !ADDRESS.test(url)) return undefined
    const signed = [verb + unescaped(url), body, timestamp]
    return { method: HMAC_SHA256, signatures: [signature], signed: () => signed, signedAt }
  },
  toleranceSeconds: 300,
  refusals: REFUSALS,
}

/** The escapes that HubSpot undoes before it signs an address (the same page, "URL-encoded characters"). */
const UNESCAPED: Readonly<Record<string, string>> = {
  '%3A': ':',
  '%2F': '/',
  '%3F': '?',
  '%40': '@',
  '%21': '!',
  '%24': '$',
  '%27': "'",
  '%28': '(',
  '%29': ')',
  '%2A': '*',
  '%2C': ',',
  '%3B': ';',
}

function unescaped(url: string): string {
  return url.replace(/%[0-9A-F]{2}/gi, (escaped) => UNESCAPED[escaped.toUpperCase()] ?? escaped)
}
