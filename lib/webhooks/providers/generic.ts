import { body, textIn } from '../find.ts'
import { OWN_RETRIES, type Provider } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { generic } from '../schemes/generic.ts'

/** Every name without a provider of its own: the base payload (webhooks-4, webhooks-29). */
export const provider = {
  scheme: generic,
  identity: [{ rule: 'signed-id', id: body('eventId') }],
  retries: OWN_RETRIES,
  type: textIn('eventType'),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['greeting.said', 'door.opened'],
  draft: (eventType, { id, at }) => ({
    body: { eventId: `evt-${id}`, eventType, timestamp: at.toISOString(), source: 'demo', text: 'Hello' },
  }),
  prove: ({ hex, seconds }) => ({ headers: { 'x-timestamp': seconds, 'x-signature': `sha256=${hex}` } }),
  described: {
    header: '`X-Signature`, `X-Timestamp`',
    secret: 'text',
    signed: 'time if sent (300 s), body',
  },
})
