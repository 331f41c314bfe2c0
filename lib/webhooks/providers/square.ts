import { body, summaryOf, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { readBase64 } from '../schemes/encoding.ts'
import { HMAC_SHA256 } from '../schemes/methods.ts'
import { isAddress, OF_ANY_AGE, type SignatureScheme } from '../schemes/scheme.ts'

/** developer.squareup.com, "Validate notifications": the address, then the body. */
const scheme: SignatureScheme = {
  header: 'x-square-hmacsha256-signature',
  methods: [HMAC_SHA256],
  read({ headers, url, body }) {
    const signature = readBase64(headers['x-square-hmacsha256-signature'] ?? '')
    if (!signature || !isAddress(url)) return undefined
    return { method: HMAC_SHA256, signatures: [signature], signed: () => [url, body] }
  },
  ...OF_ANY_AGE,
}

export const provider = {
  scheme,
  identity: [{ rule: 'signed-id', id: body('event_id') }],
  /** developer.squareup.com, "Troubleshoot Webhooks": up to 72 hours. */
  retries: retriesFor(72),
  type: textIn('type'),
  summary: summaryOf(textIn('data', 'type'), textIn('data', 'id')),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['payment.updated', 'order.created', 'refund.created'],
  draft: (type, { id, at }) => ({
    body: { merchant_id: 'GATEHOUSE', type, event_id: id, created_at: at.toISOString(), data: { type: 'payment', id } },
  }),
  prove: ({ base64 }) => ({ headers: { 'x-square-hmacsha256-signature': base64 } }),
  described: { header: '`X-Square-HmacSha256-Signature`', secret: 'text', signed: 'address, body' },
})
