import type { Provider } from '../provider.ts'
import type { Sample } from '../sample.ts'
import { bodyMac, hex } from '../schemes/body-mac.ts'

export const provider = {
  /** dropbox.com/developers/reference/webhooks, "Notification". */
  scheme: bodyMac({ header: 'x-dropbox-signature', ...hex }),
  ids: [],
  /** The same page, "Verification". */
  challenge: { parameter: 'challenge', query: {} },
} as const satisfies Provider

export const sample = (): Sample => ({
  events: ['list_folder'],
  draft: (event, { id }) => ({ body: { [event]: { accounts: [`dbid:${id}`] } } }),
  prove: ({ hex }) => ({ headers: { 'x-dropbox-signature': hex } }),
})
