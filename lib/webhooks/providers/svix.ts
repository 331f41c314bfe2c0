import { header, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import { type ProviderSample, secondsOf } from '../sample.ts'
import { standardWebhooks } from '../schemes/standard.ts'

export const provider = {
  scheme: standardWebhooks('svix'),
  identity: [{ rule: 'signed-id', id: header('svix-id') }],
  /** docs.svix.com, "Retries": 28 hours, each try with a time of its own. */
  retries: retriesFor(28, true),
  type: textIn('type'),
  keptHeaders: ['svix-id', 'svix-timestamp'],
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['invoice.paid', 'invoice.created', 'user.updated'],
  draft: (type, { id, at }) => ({
    headers: { 'svix-id': `msg_${id}` },
    body: { type, timestamp: at.toISOString(), created_at: secondsOf(at), data: { id } },
  }),
  prove: ({ base64, seconds }) => ({
    headers: { 'svix-timestamp': seconds, 'svix-signature': `v1,${base64}` },
  }),
  described: { header: '`Svix-Signature`', secret: '`whsec_` and base64', signed: 'id, time (300 s), body' },
})
