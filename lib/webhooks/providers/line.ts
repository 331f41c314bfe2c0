import { shared } from '../find.ts'
import type { Provider } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { base64, bodyMac } from '../schemes/body-mac.ts'

export const provider = {
  /** developers.line.biz, "Verify webhook signature". */
  scheme: bodyMac({ header: 'x-line-signature', ...base64 }),
  ids: [],
  type: shared(['events'], 'type'),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['message', 'follow', 'unfollow'],
  draft: (type, { id, at }) => ({
    body: {
      destination: 'Ugatehouse',
      events: [{ webhookEventId: id, type, mode: 'active', timestamp: at.getTime() }],
    },
  }),
  prove: ({ base64 }) => ({ headers: { 'x-line-signature': base64 } }),
  described: { header: '`X-Line-Signature`', secret: 'text', signed: 'body', id: 'none' },
})
