import { header } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { base64, bodyMac } from '../schemes/body-mac.ts'

export const provider = {
  /** woocommerce.com/document/webhooks, "Secret". */
  scheme: bodyMac({ header: 'x-wc-webhook-signature', ...base64 }),
  /**
   * `class-wc-webhook.php`, `get_new_delivery_id`: all deliveries of a webhook, which has one topic, within one second
   * have the same id.
   */
  identity: [{ rule: 'id+body', id: header('x-wc-webhook-delivery-id') }],
  /** The same file: nothing is sent again. */
  retries: retriesFor(0),
  type: header('x-wc-webhook-topic'),
  keptHeaders: ['x-wc-webhook-delivery-id', 'x-wc-webhook-topic', 'x-wc-webhook-id', 'x-wc-webhook-source'],
  /** woocommerce, `class-wc-webhook.php`, `deliver_ping`: any answer but 200 keeps the webhook from becoming active. */
  ping: /^webhook_id=\d{1,20}$/,
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['order.created', 'order.updated', 'customer.created'],
  draft: (topic, { id, at }) => ({
    headers: {
      'x-wc-webhook-topic': topic,
      'x-wc-webhook-delivery-id': id,
      'x-wc-webhook-id': '7',
      'x-wc-webhook-source': 'https://shop.example/',
    },
    body: { id: 1, number: id, status: 'processing', total: '10.99', date_created: at.toISOString() },
  }),
  prove: ({ base64 }) => ({ headers: { 'x-wc-webhook-signature': base64 } }),
  described: { header: '`X-WC-Webhook-Signature`', secret: 'text', signed: 'body' },
})
