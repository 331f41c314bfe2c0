import { joined, textIn } from '../find.ts'
import { type Provider, UNKNOWN_RETRIES } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { readSeconds } from '../schemes/encoding.ts'
import { timestamped } from '../schemes/timestamped.ts'

export const provider = {
  /** developer.calendly.com, "Webhook signatures". */
  scheme: timestamped({
    header: 'calendly-webhook-signature',
    separator: ',',
    names: { time: 't', signature: 'v1' },
    joint: '.',
    readTime: readSeconds,
    toleranceSeconds: 180,
  }),
  identity: [{ rule: 'signed-id', id: joined('|', textIn('payload', 'uri'), textIn('event')) }],
  retries: UNKNOWN_RETRIES,
  type: textIn('event'),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['invitee.created', 'invitee.canceled'],
  draft: (event, { id, at }) => ({
    body: {
      event,
      created_at: at.toISOString(),
      payload: { uri: `https://api.calendly.com/scheduled_events/e/invitees/${id}`, email: 'user@example.com' },
    },
  }),
  prove: ({ hex, seconds }) => ({ headers: { 'calendly-webhook-signature': `t=${seconds},v1=${hex}` } }),
  described: { header: '`Calendly-Webhook-Signature`', secret: 'text', signed: 'time (180 s), body' },
})
