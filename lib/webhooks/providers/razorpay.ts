import { header, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import { type ProviderSample, secondsOf } from '../sample.ts'
import { bodyMac, hex } from '../schemes/body-mac.ts'

export const provider = {
  /** razorpay.com/docs/webhooks/validate-test. */
  scheme: bodyMac({ header: 'x-razorpay-signature', ...hex }),
  identity: [{ rule: 'id+body', id: header('x-razorpay-event-id') }],
  /**
   * razorpay.com/docs/webhooks, "Best Practices": 24 hours. Older events are signed with the secret of their time, so
   * keep the one before for a day.
   */
  retries: retriesFor(24),
  type: textIn('event'),
  keptHeaders: ['x-razorpay-event-id'],
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['payment.captured', 'payment.failed', 'refund.processed'],
  draft: (event, { id, at }) => ({
    headers: { 'x-razorpay-event-id': id },
    body: {
      entity: 'event',
      event,
      payload: { payment: { entity: { id: `pay_${id}`, amount: 1099, currency: 'INR' } } },
      created_at: secondsOf(at),
    },
  }),
  prove: ({ hex }) => ({ headers: { 'x-razorpay-signature': hex } }),
  described: { header: '`X-Razorpay-Signature`', secret: 'text', signed: 'body' },
})
