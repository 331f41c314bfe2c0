import { body, textIn } from '../find.ts'
import { type Provider, UNKNOWN_RETRIES } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { readMilliseconds } from '../schemes/encoding.ts'
import { timestamped } from '../schemes/timestamped.ts'

export const provider = {
  /** workos.com/docs/events/data-syncing/webhooks. */
  scheme: timestamped({
    header: 'workos-signature',
    separator: ', ',
    names: { time: 't', signature: 'v1' },
    joint: '.',
    readTime: readMilliseconds,
    toleranceSeconds: 180,
  }),
  identity: [{ rule: 'signed-id', id: body('id') }],
  retries: UNKNOWN_RETRIES,
  type: textIn('event'),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['user.created', 'connection.activated', 'dsync.user.deleted'],
  draft: (event, { id, at }) => ({
    body: { id: `event_${id}`, event, data: { object: 'user', id: `user_${id}` }, created_at: at.toISOString() },
  }),
  prove: ({ hex, milliseconds }) => ({ headers: { 'workos-signature': `t=${milliseconds}, v1=${hex}` } }),
  described: { header: '`WorkOS-Signature`', secret: 'text', signed: 'time (180 s), body' },
})
