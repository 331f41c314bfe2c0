import { challengeQuery } from '../challenge.ts'
import { textIn } from '../find.ts'
import type { Provider } from '../provider.ts'
import { type ProviderSample, secondsOf } from '../sample.ts'
import { bodyMac, hex } from '../schemes/body-mac.ts'
import { token } from '../schemes/token.ts'

/** The token that the owner of the address chose; it is in the query. */
const verifyToken = token(({ url }) => challengeQuery(url).get('hub.verify_token'))

export const provider = {
  /** developers.facebook.com/docs/graph-api/webhooks, "Validating payloads". */
  scheme: bodyMac({ header: 'x-hub-signature-256', prefix: 'sha256=', ...hex }),
  ids: [],
  type: textIn('object'),
  /** developers.facebook.com/docs/graph-api/webhooks/getting-started, "Verification requests". */
  challenge: { parameter: 'hub.challenge', query: { 'hub.mode': 'subscribe' }, scheme: verifyToken },
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['whatsapp_business_account', 'page', 'instagram'],
  draft: (object, { id, at }) => ({ body: { object, entry: [{ id, time: secondsOf(at), changes: [] }] } }),
  prove: ({ hex }) => ({ headers: { 'x-hub-signature-256': `sha256=${hex}` } }),
  described: { header: '`X-Hub-Signature-256`', secret: 'text', signed: 'body', id: 'none' },
})
