import { body, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import { type ProviderSample, secondsOf } from '../sample.ts'
import { basic } from '../schemes/basic.ts'

export const provider = {
  /** chargebee.com/docs, "Webhook settings": a user name and a password. */
  scheme: basic,
  /** apidocs.chargebee.com, "Events": the body has the delivery state of the event's webhooks. */
  identity: [
    {
      rule: 'id+body',
      id: body('id'),
      retryMarks: [['webhook_status'], ['webhook_failure_reason'], ['webhooks']],
    },
  ],
  /** The same page, "Retries and Duplicate Handling": the last try comes three days and seven hours after the event. */
  retries: retriesFor(79),
  type: textIn('event_type'),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['subscription_created', 'subscription_cancelled', 'payment_succeeded'],
  draft: (event_type, { id, at }) => ({
    body: {
      id: `ev_${id}`,
      occurred_at: secondsOf(at),
      source: 'admin_console',
      object: 'event',
      api_version: 'v2',
      content: { subscription: { id, object: 'subscription' } },
      event_type,
      webhook_status: 'scheduled',
    },
  }),
  prove: ({ base64 }) => ({ headers: { authorization: `Basic ${base64}` } }),
  described: { header: '`Authorization: Basic`', secret: '`user:password`', signed: 'nothing' },
})
