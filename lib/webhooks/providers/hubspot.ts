import { elementsOf, pick, shared } from '../find.ts'
import { type BatchItem, itemOf } from '../identity.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { readBase64, readMilliseconds } from '../schemes/encoding.ts'
import { HMAC_SHA256 } from '../schemes/methods.ts'
import { isAddress, REFUSALS, type SignatureScheme } from '../schemes/scheme.ts'

/** developers.hubspot.com, "Validating requests", v3: method, address, body and time. */
const scheme: SignatureScheme = {
  header: 'x-hubspot-signature-v3',
  methods: [HMAC_SHA256],
  read({ method: verb, url, headers, body }) {
    const timestamp = headers['x-hubspot-request-timestamp'] ?? ''
    // The width is fixed, so that no digit can move between the time and the body signed before it.
    const signedAt = timestamp.length === 13 ? readMilliseconds(timestamp) : undefined
    const signature = readBase64(headers['x-hubspot-signature-v3'] ?? '')
    if (!signature || signedAt === undefined || !isAddress(url)) return undefined
    const signed = [verb + unescaped(url), body, timestamp]
    return { method: HMAC_SHA256, signatures: [signature], signed: () => signed, signedAt }
  },
  toleranceSeconds: 300,
  refusals: REFUSALS,
}

export const provider = {
  scheme,
  /** A batch that is sent again counts its tries in every element. */
  identity: [{ rule: 'per-item', items, retryMarks: [['*', 'attemptNumber']] }],
  /** developers.hubspot.com, "Webhooks": ten tries within 24 hours, each with a time of its own. */
  retries: retriesFor(24, true),
  type: shared([], 'subscriptionType'),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['contact.creation', 'deal.creation', 'contact.deletion'],
  draft: (subscriptionType, { id, at }) => ({
    body: [{ eventId: 1, subscriptionType, objectId: 2, sourceId: id, occurredAt: at.getTime() }],
  }),
  prove: ({ base64, milliseconds }) => ({
    headers: { 'x-hubspot-request-timestamp': milliseconds, 'x-hubspot-signature-v3': base64 },
  }),
  described: {
    header: '`X-HubSpot-Signature-v3`',
    secret: 'text',
    signed: 'method, address, body, time (300 s)',
  },
})

const idOfItem = ['portalId', 'subscriptionId', 'eventId', 'occurredAt']

/** HubSpot says itself that `eventId` alone may repeat. */
function items(payload: unknown): readonly BatchItem[] {
  return elementsOf(payload).map((element) => {
    const parts = idOfItem.map((name) => pick(element, [name]))
    const eventId = parts.includes(undefined) ? undefined : parts.join('|')
    return itemOf(eventId, pick(element, ['subscriptionType']))
  })
}

/** The escapes that are decoded before an address is signed (the same page, "URL-encoded characters"). */
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
