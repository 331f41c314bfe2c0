import { challengeQuery } from '../challenge.ts'
import { elementsOf, pick, textIn, valueAt } from '../find.ts'
import { type BatchItem, itemOf } from '../identity.ts'
import { type Provider, UNKNOWN_RETRIES } from '../provider.ts'
import { type ProviderSample, secondsOf } from '../sample.ts'
import { bodyMac, hex } from '../schemes/body-mac.ts'
import { token } from '../schemes/token.ts'

/** The token that the owner of the address chose; it is in the query. */
const verifyToken = token(({ url }) => challengeQuery(url).get('hub.verify_token'))

export const provider = {
  /** developers.facebook.com/docs/graph-api/webhooks, "Validating payloads". */
  scheme: bodyMac({ header: 'x-hub-signature-256', prefix: 'sha256=', ...hex }),
  identity: [{ rule: 'per-item', items }],
  retries: UNKNOWN_RETRIES,
  type: textIn('object'),
  /** developers.facebook.com/docs/graph-api/webhooks/getting-started, "Verification requests". */
  challenge: { parameter: 'hub.challenge', query: { 'hub.mode': 'subscribe' }, scheme: verifyToken },
} as const satisfies Provider

/** One element for each change or message of each entry; only messages have ids of their own. */
function items(payload: unknown): readonly BatchItem[] {
  return elementsOf(valueAt(payload, ['entry'])).flatMap((entry) => {
    const changes = elementsOf(valueAt(entry, ['changes'])).map((change) =>
      itemOf(pick(elementsOf(valueAt(change, ['value', 'messages']))[0], ['id']), pick(change, ['field'])),
    )
    const messages = elementsOf(valueAt(entry, ['messaging'])).map((message) =>
      itemOf(pick(message, ['message', 'mid']), 'messaging'),
    )
    return [...changes, ...messages]
  })
}

export const sample = (): ProviderSample => ({
  events: ['whatsapp_business_account', 'page', 'instagram'],
  draft: (object, { id, at }) => ({ body: { object, entry: [{ id, time: secondsOf(at), changes: [] }] } }),
  prove: ({ hex }) => ({ headers: { 'x-hub-signature-256': `sha256=${hex}` } }),
  described: { header: '`X-Hub-Signature-256`', secret: 'text', signed: 'body' },
})
