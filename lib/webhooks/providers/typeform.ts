import { body, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { base64, bodyMac } from '../schemes/body-mac.ts'

export const provider = {
  /** typeform.com/developers/webhooks/secure-your-webhooks. */
  scheme: bodyMac({ header: 'typeform-signature', prefix: 'sha256=', ...base64 }),
  identity: [{ rule: 'signed-id', id: body('event_id') }],
  /** typeform.com/developers, "Webhooks": every few minutes for ten hours. */
  retries: retriesFor(10),
  type: textIn('event_type'),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['form_response'],
  draft: (event_type, { id, at }) => ({
    body: { event_id: id, event_type, form_response: { form_id: 'gate1', token: id, submitted_at: at.toISOString() } },
  }),
  prove: ({ base64 }) => ({ headers: { 'typeform-signature': `sha256=${base64}` } }),
  described: { header: '`Typeform-Signature`', secret: 'text', signed: 'body' },
})
