import { body, textIn } from '../find.ts'
import { type Provider, UNKNOWN_RETRIES } from '../provider.ts'
import { type ProviderSample, secondsOf } from '../sample.ts'
import { bodyMac, hex } from '../schemes/body-mac.ts'
import { HMAC_SHA1 } from '../schemes/methods.ts'

export const provider = {
  /** developers.intercom.com, "Webhooks": signed notifications; Intercom offers only SHA-1. */
  scheme: bodyMac({ header: 'x-hub-signature', prefix: 'sha1=', ...hex, method: HMAC_SHA1 }),
  identity: [{ rule: 'signed-id', id: body('id'), retryMarks: [['delivery_attempts'], ['first_sent_at']] }],
  retries: UNKNOWN_RETRIES,
  type: textIn('topic'),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['user.created', 'conversation.user.created'],
  draft: (topic, { id, at }) => ({
    body: { type: 'notification_event', id: `notif_${id}`, topic, created_at: secondsOf(at), data: { item: { id } } },
  }),
  prove: ({ hex }) => ({ headers: { 'x-hub-signature': `sha1=${hex}` } }),
  described: { header: '`X-Hub-Signature` (SHA-1)', secret: 'text', signed: 'body' },
})
