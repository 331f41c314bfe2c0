import { first, joined, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { basic } from '../schemes/basic.ts'

/** Only an inbound message has no record type; its stream is `inbound`. */
const type = first(textIn('RecordType'), textIn('MessageStream'))

export const provider = {
  /** postmarkapp.com/developer/webhooks/webhooks-overview, "Protecting your webhook". */
  scheme: basic,
  /** One message has several records: of bounces and complaints each has an id, of the others each has its time. */
  identity: [
    {
      rule: 'id+body',
      id: joined(
        '|',
        type,
        textIn('MessageID'),
        first(textIn('ID'), textIn('DeliveredAt'), textIn('ReceivedAt'), textIn('ChangedAt'), () => '-'),
      ),
    },
  ],
  /** postmarkapp.com/support, "Understanding Inbound Webhook Retries": ten tries in ten and a half hours. */
  retries: retriesFor(10.5),
  type,
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['Delivery', 'Open', 'Click'],
  draft: (RecordType, { id, at }) => ({
    body: {
      RecordType,
      MessageStream: 'outbound',
      ServerID: 23,
      MessageID: id,
      Recipient: 'user@example.com',
      [RecordType === 'Delivery' ? 'DeliveredAt' : 'ReceivedAt']: at.toISOString(),
    },
  }),
  prove: ({ base64 }) => ({ headers: { authorization: `Basic ${base64}` } }),
  described: { header: '`Authorization: Basic`', secret: '`user:password`', signed: 'nothing' },
})
