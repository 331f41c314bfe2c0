import { elementsOf, type Message, pick, valueAt } from '../find.ts'
import { type BatchItem, itemOf } from '../identity.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { base64, bodyMac } from '../schemes/body-mac.ts'

/** developer.xero.com, "Configuring your server": whatever the verdict, the answer has no body. */
export const provider = {
  scheme: {
    ...bodyMac({ header: 'x-xero-signature', ...base64 }),
    refusals: { signature: 'SIGNATURE_INVALID_BARE', timestamp: 'TIMESTAMP_OUTSIDE_WINDOW' },
  },
  /** A batch is named by the numbers of its first and last event; what is random in it is there for the signature. */
  identity: [{ rule: 'per-item', items, retryMarks: [['entropy']] }],
  /** The same page: tries for up to 24 hours. */
  retries: retriesFor(24),
  type: typeOf,
  acknowledgement: '',
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['INVOICE.UPDATE', 'INVOICE.CREATE', 'CONTACT.UPDATE'],
  draft: (type, { id, at }) => {
    const [eventCategory, eventType] = type.split('.')
    const event = {
      resourceUrl: `https://api.xero.com/api.xro/2.0/Invoices/${id}`,
      resourceId: id,
      tenantId: 'c2cc9b6e-9458-4c7d-93cc-f02b81b0594f',
      tenantType: 'ORGANISATION',
      eventCategory,
      eventType,
      eventDateUtc: at.toISOString(),
    }
    return { body: { events: [event], firstEventSequence: 1, lastEventSequence: 1, entropy: 'S0m3r4Nd0mt3xt' } }
  },
  prove: ({ base64 }) => ({ headers: { 'x-xero-signature': base64 } }),
  described: { header: '`X-Xero-Signature`', secret: 'text', signed: 'body' },
})

/** An event has no id, but a resource changes in one way at one time. */
function items(payload: unknown): readonly BatchItem[] {
  return elementsOf(valueAt(payload, ['events'])).map((element) => {
    const textAt = (name: string) => pick(element, [name])
    const id = ['resourceId', 'eventType', 'eventDateUtc'].map(textAt)
    const type = ['eventCategory', 'eventType'].map(textAt)
    return itemOf(wholeOf(id, '|'), wholeOf(type, '.'))
  })
}

function wholeOf(parts: readonly (string | undefined)[], separator: string): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join(separator)
}

function typeOf({ payload }: Message): string | undefined {
  const types = new Set(items(payload).map(({ eventType }) => eventType))
  return types.size === 1 ? [...types][0] : undefined
}
