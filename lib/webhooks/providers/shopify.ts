import { header } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { base64, bodyMac } from '../schemes/body-mac.ts'

export const provider = {
  /** shopify.dev, "Deliver webhooks through HTTPS". */
  scheme: bodyMac({ header: 'x-shopify-hmac-sha256', ...base64 }),
  /**
   * shopify.dev, "Verify webhook deliveries": the webhook id names a delivery; the event id is the same in calls of
   * other topics and subscriptions. Nobody signs the topic, so it identifies nothing.
   */
  identity: [{ rule: 'id+body', id: header('x-shopify-webhook-id') }],
  /** shopify.dev changelog, September 2024: eight tries in four hours. */
  retries: retriesFor(4),
  type: header('x-shopify-topic'),
  keptHeaders: [
    'x-shopify-topic',
    'x-shopify-event-id',
    'x-shopify-webhook-id',
    'x-shopify-shop-domain',
    'x-shopify-api-version',
    'x-shopify-triggered-at',
  ],
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['orders/create', 'orders/paid', 'refunds/create'],
  draft: (topic, { id, at }) => ({
    headers: {
      'x-shopify-topic': topic,
      'x-shopify-event-id': id,
      'x-shopify-webhook-id': id,
      'x-shopify-shop-domain': 'gatehouse.myshopify.com',
      'x-shopify-triggered-at': at.toISOString(),
    },
    body: { id, total_price: '10.00', currency: 'EUR', created_at: at.toISOString() },
  }),
  prove: ({ base64 }) => ({ headers: { 'x-shopify-hmac-sha256': base64 } }),
  described: { header: '`X-Shopify-Hmac-Sha256`', secret: 'text', signed: 'body' },
})
