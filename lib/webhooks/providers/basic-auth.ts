import { body, first, joined, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import { type ProviderSample, secondsOf } from '../sample.ts'
import { basic } from '../schemes/token.ts'

/** Only an inbound message has no record type; its stream is `inbound`. */
const postmarkType = first(textIn('RecordType'), textIn('MessageStream'))

/** Senders that prove themselves by HTTP Basic. */
export const BASIC_AUTH = {
  chargebee: {
    /** chargebee.com/docs, "Webhook settings": a user name and a password. */
    scheme: basic,
    /** apidocs.chargebee.com, "Events": the body has the delivery state of the event's webhooks. */
    identity: [
      {
        rule: 'id+body',
        id: body('id'),
        retryMarks: [['webhook_status'], ['webhook_failure_reason'], ['webhooks']],
      },
    ],
    /** The same page, "Retries and Duplicate Handling": the last try comes three days and seven hours after the event. */
    retries: retriesFor(79),
    type: textIn('event_type'),
  },
  postmark: {
    /** postmarkapp.com/developer/webhooks/webhooks-overview, "Protecting your webhook". */
    scheme: basic,
    /** One message has several records: of bounces and complaints each has an id, of the others each has its time. */
    identity: [
      {
        rule: 'id+body',
        id: joined(
          '|',
          postmarkType,
          textIn('MessageID'),
          first(textIn('ID'), textIn('DeliveredAt'), textIn('ReceivedAt'), textIn('ChangedAt'), () => '-'),
        ),
      },
    ],
    /** postmarkapp.com/support, "Understanding Inbound Webhook Retries": ten tries in ten and a half hours. */
    retries: retriesFor(10.5),
    type: postmarkType,
  },
} as const satisfies Readonly<Record<string, Provider>>

export const basicAuthSamples = (): Readonly<Record<keyof typeof BASIC_AUTH, ProviderSample>> => ({
  chargebee: {
    events: ['subscription_created', 'subscription_cancelled', 'payment_succeeded'],
    draft: (event_type, { id, at }) => ({
      body: {
        id: `ev_${id}`,
        occurred_at: secondsOf(at),
        source: 'admin_console',
        object: 'event',
        api_version: 'v2',
        content: { subscription: { id, object: 'subscription' } },
        event_type,
        webhook_status: 'scheduled',
      },
    }),
    prove: ({ base64 }) => ({ headers: { authorization: `Basic ${base64}` } }),
    described: { header: '`Authorization: Basic`', secret: '`user:password`', signed: 'nothing' },
  },
  postmark: {
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
  },
})
