import { header, inHeader } from '../find.ts'
import type { Provider } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { base64, bodyMac } from '../schemes/body-mac.ts'

export const provider = {
  /** woocommerce.com/document/webhooks, "Secret". */
  scheme: bodyMac({ header: 'x-wc-webhook-signature', ...base64 }),
  ids: [inHeader('x-wc-webhook-delivery-id')],
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
  described: { header: '`X-WC-Webhook-Signature`', secret: 'text', signed: 'body', id: 'no' },
})
