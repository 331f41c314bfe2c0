import type { Provider } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { bodyMac, hex } from '../schemes/body-mac.ts'

export const provider = {
  /** dropbox.com/developers/reference/webhooks, "Notification". */
  scheme: bodyMac({ header: 'x-dropbox-signature', ...hex }),
  ids: [],
  /** The same page, "Verification". */
  challenge: { parameter: 'challenge', query: {} },
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['list_folder'],
  draft: (event, { id }) => ({ body: { [event]: { accounts: [`dbid:${id}`] } } }),
  prove: ({ hex }) => ({ headers: { 'x-dropbox-signature': hex } }),
  described: { header: '`X-Dropbox-Signature`', secret: 'text', signed: 'body', id: 'none' },
})
