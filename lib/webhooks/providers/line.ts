import { itemsAt, shared } from '../find.ts'
import { type Provider, UNKNOWN_RETRIES } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { base64, bodyMac } from '../schemes/body-mac.ts'

export const provider = {
  /** developers.line.biz, "Verify webhook signature". */
  scheme: bodyMac({ header: 'x-line-signature', ...base64 }),
  /** A repeated event says so in each element. */
  identity: [
    {
      rule: 'per-item',
      items: itemsAt(['events'], ['webhookEventId'], ['type']),
      retryMarks: [['events', '*', 'deliveryContext', 'isRedelivery']],
    },
  ],
  retries: UNKNOWN_RETRIES,
  type: shared(['events'], 'type'),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['message', 'follow', 'unfollow'],
  draft: (type, { id, at }) => ({
    body: {
      destination: 'Ugatehouse',
      events: [{ webhookEventId: id, type, mode: 'active', timestamp: at.getTime() }],
    },
  }),
  prove: ({ base64 }) => ({ headers: { 'x-line-signature': base64 } }),
  described: { header: '`X-Line-Signature`', secret: 'text', signed: 'body' },
})
