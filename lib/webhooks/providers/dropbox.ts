import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { bodyMac, hex } from '../schemes/body-mac.ts'

export const provider = {
  /** dropbox.com/developers/reference/webhooks, "Notification". */
  scheme: bodyMac({ header: 'x-dropbox-signature', ...hex }),
  /** A notification names accounts, and says the same again whenever something in them has changed. */
  identity: [{ rule: 'always-new' }],
  /** The same page: it retries for about ten minutes. */
  retries: retriesFor(0.25),
  /** The same page, "Verification". */
  challenge: { parameter: 'challenge', query: {} },
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['list_folder'],
  draft: (event, { id }) => ({ body: { [event]: { accounts: [`dbid:${id}`] } } }),
  prove: ({ hex }) => ({ headers: { 'x-dropbox-signature': hex } }),
  described: { header: '`X-Dropbox-Signature`', secret: 'text', signed: 'body' },
})
