import { header, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import { type ProviderSample, secondsOf } from '../sample.ts'
import { standardWebhooks } from '../schemes/standard.ts'

export const provider = {
  scheme: standardWebhooks('webhook'),
  identity: [{ rule: 'signed-id', id: header('webhook-id') }],
  retries: retriesFor(72, true),
  type: textIn('type'),
  keptHeaders: ['webhook-id', 'webhook-timestamp'],
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['response.completed', 'batch.completed', 'fine_tuning.job.succeeded'],
  draft: (type, { id, at }) => ({
    headers: { 'webhook-id': `msg_${id}` },
    body: { type, timestamp: at.toISOString(), created_at: secondsOf(at), data: { id } },
  }),
  prove: ({ base64, seconds }) => ({
    headers: { 'webhook-timestamp': seconds, 'webhook-signature': `v1,${base64}` },
  }),
  described: {
    header: '`Webhook-Signature`',
    secret: '`whsec_` and base64',
    signed: 'id, time (300 s), body',
  },
})
