import { body, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { readSeconds } from '../schemes/encoding.ts'
import { timestamped } from '../schemes/timestamped.ts'

export const provider = {
  /** developer.paddle.com/webhooks/signature-verification. */
  scheme: timestamped({
    header: 'paddle-signature',
    separator: ';',
    names: { time: 'ts', signature: 'h1' },
    joint: ':',
    readTime: readSeconds,
    toleranceSeconds: 5,
  }),
  identity: [{ rule: 'signed-id', id: body('event_id') }],
  /** developer.paddle.com, "Respond to webhooks": 60 tries in three days. */
  retries: retriesFor(72),
  type: textIn('event_type'),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['transaction.completed', 'subscription.created', 'subscription.canceled'],
  draft: (event_type, { id, at }) => ({
    body: {
      event_id: `evt_${id}`,
      event_type,
      occurred_at: at.toISOString(),
      notification_id: `ntf_${id}`,
      data: { id: `txn_${id}`, status: 'completed', currency_code: 'EUR' },
    },
  }),
  prove: ({ hex, seconds }) => ({ headers: { 'paddle-signature': `ts=${seconds};h1=${hex}` } }),
  described: { header: '`Paddle-Signature`', secret: 'text', signed: 'time (5 s), body' },
})
