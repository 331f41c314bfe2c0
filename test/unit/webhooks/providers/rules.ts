import { Buffer } from 'node:buffer'
import type { ProofLevel } from '../../../../lib/webhooks/event.ts'
import type { IdentityKind } from '../../../../lib/webhooks/identity.ts'
import { SAMPLES } from '../../../../lib/webhooks/providers/samples.ts'
import type { Sample } from '../../../../lib/webhooks/sample.ts'
import { orderStatus, payment } from '../../../../localstack/senders/table.ts'
import { withCrcOf } from '../../../support/same-crc.ts'
import type { Outcome } from '../../../support/webhook-receiver.ts'
import { hashed, hashQuery, routed, tokened, untimed } from '../../../support/webhook-senders.ts'

/** A call that follows the first one; what it does not say is as in the first. */
export interface Step {
  /** Seconds after the first call. */
  readonly after?: number
  /** Seconds from the first call to the time that it is signed with: `after`, unless it comes late. */
  readonly signedAfter?: number
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** Replaces the body, or values at paths of it. */
  readonly body?: unknown
  readonly set?: Readonly<Record<string, unknown>>
  /** What becomes of it: `stored` for another event, `duplicate` otherwise. */
  readonly gives?: Outcome
}

/** The call again, changed by somebody who has no secret. */
export interface Replay {
  readonly after?: number
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly bytes?: (body: Buffer) => string | Buffer
  readonly query?: string
  /** `duplicate`, if it does not say. */
  readonly gives?: Outcome
}

/** How a provider's events are told apart, and calls that show it. */
export interface Row {
  /** The name in the path. */
  readonly name: string
  readonly rule: IdentityKind
  readonly level: ProofLevel
  /** What of the event is not under its signature; with a token both. */
  readonly unsigned?: readonly ('type' | 'id')[]
  readonly sender: Sample
  /** What the first call has that the provider's sample has not. */
  readonly first?: Pick<Step, 'headers' | 'body' | 'set'> & { readonly query?: (body: Buffer) => string }
  /** Another event: with the same bytes, if the provider can send such. */
  readonly other: Step
  /** How the provider repeats the first event. */
  readonly retries: Readonly<Record<string, Step>>
  readonly replays?: Readonly<Record<string, Replay>>
  /** After this many seconds the rule takes equal content for news. */
  readonly forgetsAfter?: number
}

/** The name is that before a comma of the key, and the sender the sample of that name, unless the row says otherwise. */
type Given = Omit<Row, 'name' | 'sender'> & Partial<Pick<Row, 'name' | 'sender'>>

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** An attempt that has the time, and the signature, of the first. */
const late = (after: number): Step => ({ after, signedAfter: 0 })
const renewed = (after: number): Step => ({ after })

const replaced = (from: string, to: string) => (body: Buffer) => {
  const text = body.toString()
  if (!text.includes(from)) throw new Error(`the body has no ${from}`)
  return text.replace(from, to)
}

const own = SAMPLES.generic

const ENVELOPE = '<DocuSignEnvelopeInformation><EnvelopeStatus><TimeGenerated>2026-01-02T03:04:05.6</TimeGenerated>'
const envelope = (id: string) =>
  `${ENVELOPE}<EnvelopeID>${id}</EnvelopeID></EnvelopeStatus></DocuSignEnvelopeInformation>`

const DELIVERY_TOKEN = 'i-twilio-idempotency-token'
const statusForm = 'MessageSid=SM1&MessageStatus=delivered'

/** A row for every provider, and for each of its ways that has a rule of its own. */
export const ROWS: Readonly<Record<string, Given>> = {
  // Adyen, "Handle webhook events": duplicates have the same eventCode and pspReference, of which the eight signed
  // fields hold both; "Troubleshoot webhooks": 30 days of retries; hmacValidator.js of @adyen/api-library: the fields.
  adyen: {
    rule: 'id+body',
    level: 'fields',
    first: { set: { 'notificationItems.0.NotificationRequestItem.pspReference': 'psp-1' } },
    other: {
      set: { 'notificationItems.0.NotificationRequestItem.amount.value': 500 },
      gives: 'conflict',
    },
    retries: { 'after 30 days': late(30 * DAY) },
    replays: {
      'another date': { bytes: replaced('"eventDate":"2026', '"eventDate":"2027') },
      'another reason': { bytes: replaced('"success"', '"reason":"other","success"') },
      'fields in another order': { bytes: replaced('{"live":"false",', '{"zlive":"false",') },
      'another escape': { bytes: replaced('"success":"true"', '"success":"\\u0074rue"') },
      'a truth value for a text': { bytes: replaced('"success":"true"', '"success":true') },
    },
  },
  // A shop's own reference may hold the separator.
  'adyen, with a separator in a field': {
    rule: 'window',
    level: 'fields',
    first: { set: { 'notificationItems.0.NotificationRequestItem.merchantReference': 'order:1' } },
    other: { set: { 'notificationItems.0.NotificationRequestItem.merchantReference': 'order:2' } },
    retries: { 'after 30 days': late(30 * DAY) },
  },
  // api-explorer of Adyen, "Transfer updated": the id of a transfer is the same in all its changes; "Troubleshoot
  // webhooks": 30 days of retries.
  'adyen-platform': {
    rule: 'id+body',
    level: 'body',
    other: { set: { 'data.status': 'failed' }, gives: 'conflict' },
    retries: { 'after 30 days': late(30 * DAY) },
  },
  'adyen-platform, queued at another time': {
    rule: 'id+body',
    level: 'body',
    other: { set: { timestamp: '2026-01-02T04:04:05+01:00' } },
    retries: { 'after 30 days': late(30 * DAY) },
  },
  // developers.asana.com, "Webhooks": for up to 24 hours; a call without events every eight hours.
  asana: {
    rule: 'per-item',
    level: 'body',
    other: { set: { 'events.0.created_at': '2026-01-02T03:04:06.000Z' } },
    retries: { 'the same bytes': late(DAY) },
  },
  // Atlassian, "Troubleshoot webhooks": X-Attempt-Number, two more tries. That X-Request-UUID stays is not documented.
  bitbucket: {
    rule: 'id+body',
    level: 'body',
    unsigned: ['type', 'id'],
    other: { headers: { 'x-request-uuid': 'another' }, gives: 'held' },
    retries: { 'at once': { after: 1, headers: { 'x-attempt-number': '2' } } },
  },
  // Calendly, "Webhook signatures": 180 s; whether a retry has a time of its own is not documented.
  calendly: {
    rule: 'signed-id',
    level: 'full',
    other: { set: { event: 'invitee.canceled' } },
    retries: { 'with its time, late': late(10 * HOUR), 'with a time of its own': renewed(10 * HOUR) },
  },
  // apidocs.chargebee.com, "Events": webhook_status changes with the tries, the last after three days and seven hours.
  chargebee: {
    rule: 'id+body',
    level: 'token',
    first: { set: { 'webhooks.0.webhook_status': 'scheduled' } },
    other: { set: { id: 'ev_2' } },
    retries: {
      'marked in the body': {
        after: 79 * HOUR,
        set: { webhook_status: 're_scheduled', 'webhooks.0.webhook_status': 're_scheduled' },
      },
    },
    replays: {
      'another body': { bytes: replaced('admin_console', 'api'), gives: 'conflict' },
    },
  },
  clerk: standard('clerk', 28),
  // discord-api-docs, developers/interactions: the id is a snowflake.
  discord: {
    rule: 'signed-id',
    level: 'full',
    first: { body: { id: '1', application_id: '2', type: 2 } },
    other: { body: { id: '3', application_id: '2', type: 2 } },
    retries: { 'with a time of its own': renewed(5) },
  },
  // discord-api-docs, developers/events/webhook-events.mdx: no id; tries for ten minutes.
  'discord, webhook events': {
    rule: 'time+body',
    level: 'full',
    first: { body: { version: 1, type: 1, event: { type: 'ENTITLEMENT_CREATE', timestamp: '2026-01-02T03:04:05' } } },
    other: { after: 1, gives: 'alike' },
    retries: { 'with its time': late(600), 'with a time of its own': { after: 600, gives: 'alike' } },
  },
  // "Troubleshooting DocuSign Connect": retryCount is in the body; one event goes to each recipient.
  docusign: {
    rule: 'signed-id',
    level: 'body',
    other: { set: { 'data.recipientId': '2' } },
    retries: { 'counted in the body': { after: 7 * DAY, set: { retryCount: 2 } } },
    replays: {
      'the signature of another key': { headers: { 'x-docusign-signature-2': 'AAAA' } },
    },
  },
  // Docusign blog, "Connect & the eSignature SOAP API".
  'docusign, XML': {
    rule: 'signed-id',
    level: 'body',
    first: { body: envelope('e-1') },
    other: { body: envelope('e-2') },
    retries: { 'the same bytes': late(7 * DAY) },
  },
  // Dropbox, "Webhooks": a notification names accounts, and nothing of what has changed; about ten minutes of retries.
  dropbox: {
    rule: 'always-new',
    level: 'body',
    unsigned: ['id'],
    other: { after: HOUR },
    retries: { 'which looks like news': { after: 9 * MINUTE, gives: 'alike' } },
    forgetsAfter: 15 * MINUTE,
  },
  // Azure Event Grid, "Delivery and retry": 24 hours; "Event schema": an id of its own, a time.
  'event-grid': {
    rule: 'per-item',
    level: 'token',
    other: { set: { '0.id': 'another' } },
    retries: { 'counted in a header': { after: DAY, headers: { 'aeg-delivery-count': '3' } } },
  },
  // The `eventId` of the payload, which is signed (webhooks-50).
  generic: {
    name: 'demo',
    rule: 'signed-id',
    level: 'full',
    sender: own,
    other: { set: { eventId: 'evt-2' } },
    retries: {
      'with a time of its own': renewed(10 * HOUR),
      'with another content, which is noted': { after: 1, set: { text: 'other' }, gives: 'disputed' },
    },
    replays: {
      'the time moved into the body': {
        headers: { 'x-timestamp': undefined },
        bytes: (body) => `1767323045.${body}`,
        gives: 'refused',
      },
    },
  },
  'generic, without an id': {
    name: 'demo',
    rule: 'time+body',
    level: 'full',
    sender: own,
    first: { body: { eventType: 'door.opened' } },
    other: { after: 1, gives: 'alike' },
    retries: { 'with its time': late(300) },
  },
  'generic, without an id and a time': {
    name: 'demo',
    rule: 'window',
    level: 'body',
    sender: untimed,
    first: { body: { eventType: 'door.opened' } },
    other: { after: DAY + 1 },
    retries: { 'within a day': renewed(DAY) },
    forgetsAfter: DAY,
  },
  // github/docs, "Handling failed webhook deliveries": nothing is sent again but by hand, and then under the same id.
  github: {
    rule: 'id+body',
    level: 'body',
    unsigned: ['type', 'id'],
    other: { headers: { 'x-github-delivery': 'd-2' }, set: { ref: 'refs/heads/other' } },
    retries: { 'by hand': late(3 * DAY) },
    replays: {
      'another id': { headers: { 'x-github-delivery': 'another' }, gives: 'alike' },
      'an id that no event can have': { headers: { 'x-github-delivery': 'a'.repeat(257) }, gives: 'alike' },
      'another name of the event': { headers: { 'x-github-event': 'issues' } },
    },
  },
  // GitLab, "Webhooks": a signing token signs as Standard Webhooks do.
  gitlab: {
    rule: 'signed-id',
    level: 'full',
    unsigned: ['type'],
    other: { headers: { 'webhook-id': 'msg_2' } },
    retries: { 'with a time of its own': renewed(HOUR) },
  },
  // gitlab-org/gitlab, issue 14888: Idempotency-Key is the same on retries.
  'gitlab, with a token alone': {
    rule: 'id+body',
    level: 'token',
    sender: tokened,
    other: { headers: { 'idempotency-key': 'another' }, gives: 'alike' },
    retries: { 'with the same key': late(HOUR) },
    replays: {
      'another body': { bytes: replaced('main', 'other'), gives: 'conflict' },
    },
  },
  // Pub/Sub, "Authentication for push subscriptions": the token has nothing of the message; "Handle message failures":
  // deliveryAttempt, seven days.
  'google-pubsub': {
    rule: 'id+body',
    level: 'token',
    first: { set: { deliveryAttempt: 1 } },
    other: { set: { 'message.messageId': 'another' } },
    retries: {
      'with a token of its own, counted in the body': { after: 7 * DAY, set: { deliveryAttempt: 5 } },
      'with the same token, which is good for an hour': late(HOUR),
    },
    replays: {
      'another message': { bytes: replaced('"data":"SGVsbG8="', '"data":""'), gives: 'conflict' },
      'when the token is over': { after: HOUR + 301, gives: 'refused' },
    },
  },
  // HubSpot, "Webhooks API": attemptNumber in each element; eventId may repeat; ten tries in a day.
  hubspot: {
    rule: 'per-item',
    level: 'full',
    first: { set: { '0.attemptNumber': 0 } },
    other: { set: { '0.occurredAt': 1_767_323_099_000 } },
    retries: { 'counted in each element': { after: DAY, set: { '0.attemptNumber': 3 } } },
  },
  // Intercom, "Delivering Webhook Notifications": delivery_attempts and first_sent_at change.
  intercom: {
    rule: 'signed-id',
    level: 'body',
    first: { set: { delivery_attempts: 1, first_sent_at: 1 } },
    other: { set: { id: 'notif_2' } },
    retries: { 'counted in the body': { after: 60, set: { delivery_attempts: 2, first_sent_at: 2 } } },
  },
  // LINE, "Receiving messages": webhookEventId stays, deliveryContext.isRedelivery does not.
  line: {
    rule: 'per-item',
    level: 'body',
    first: { set: { 'events.0.deliveryContext.isRedelivery': false } },
    other: { set: { 'events.0.webhookEventId': 'another' } },
    retries: { 'marked in each element': { after: HOUR, set: { 'events.0.deliveryContext.isRedelivery': true } } },
  },
  // Linear, "Webhooks": Linear-Delivery is not signed, webhookTimestamp in the body is; after 1 min, 1 h, 6 h.
  linear: {
    rule: 'id+body',
    level: 'body',
    unsigned: ['id'],
    other: { headers: { 'linear-delivery': 'another' }, set: { action: 'update' } },
    retries: { 'with a time of its own': renewed(HOUR), 'with its time, late': late(6 * HOUR) },
    replays: {
      'another id': { headers: { 'linear-delivery': 'another' }, gives: 'held' },
      'another id, when the time is over': { headers: { 'linear-delivery': 'another' }, after: 61 },
    },
  },
  // developers.notion.com, "Webhooks": attempt_number counts the tries, of which the last comes after about 24 hours.
  notion: {
    rule: 'signed-id',
    level: 'body',
    other: { set: { id: 'another' } },
    retries: { 'marked in the body': { after: DAY, set: { attempt_number: 8 } } },
  },
  // Mailgun, "Securing webhooks": time and token are signed; "Webhooks": eight hours.
  mailgun: {
    rule: 'signed-id',
    level: 'fields',
    unsigned: ['type'],
    other: { set: { 'signature.token': 'b'.repeat(50) } },
    retries: { 'within eight hours': late(8 * HOUR) },
    replays: {
      'another event': { bytes: replaced('"delivered"', '"failed"') },
      'fields in another order': {
        bytes: (body) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(body.toString())).reverse())),
      },
      'another escape': { bytes: replaced('"token":"', '"\\u0074oken":0,"token":"') },
      'blanks before it': { bytes: (body) => ` \n${body}` },
      'the form of a route': {
        bytes: (body) => String(new URLSearchParams({ ...JSON.parse(body.toString()).signature, subject: 'Hi' })),
      },
    },
  },
  // Mailgun, "Receiving Messages via HTTP through a forward() action".
  'mailgun, a route': {
    rule: 'signed-id',
    level: 'fields',
    sender: routed,
    first: { set: { token: 'a'.repeat(50) } },
    other: { set: { token: 'b'.repeat(50) } },
    retries: { 'within eight hours': late(8 * HOUR) },
    replays: {
      'another subject': { bytes: replaced('subject=Hello', 'subject=Bye') },
      'another order': { bytes: (body) => body.toString().split('&').reverse().join('&') },
      'another escape': { bytes: replaced('token=a', 'token=%61') },
      'the JSON of a webhook': {
        bytes: (body) => JSON.stringify({ signature: Object.fromEntries(new URLSearchParams(body.toString())) }),
      },
    },
  },
  // Meta, "Webhooks: Get Started": each entry has its time.
  meta: {
    rule: 'per-item',
    level: 'body',
    other: { set: { 'entry.0.time': 1_767_323_099 } },
    retries: { 'the same bytes': late(36 * HOUR) },
  },
  // Microsoft Graph, "Receive change notifications through webhooks": four hours; a notification says what has changed, and
  // has no time.
  'microsoft-graph': {
    rule: 'always-new',
    level: 'token',
    other: { after: 5 * HOUR },
    retries: { 'which looks like news': { after: 3 * HOUR, gives: 'alike' } },
    forgetsAfter: 4 * HOUR,
  },
  openai: standard('openai', 72),
  // Paddle, "Respond to webhooks": three days; paddle-node-sdk: 5 s.
  paddle: {
    rule: 'signed-id',
    level: 'full',
    other: { set: { event_id: 'evt_2' } },
    retries: { 'with its time, late': late(3 * DAY), 'with a time of its own': renewed(3 * DAY) },
  },
  // PayPal, "Verify webhook signature": the transmission's id, its time and a CRC-32; three days.
  paypal: {
    rule: 'signed-id',
    level: 'checksum',
    unsigned: ['type'],
    other: { headers: { 'paypal-transmission-id': 'another' } },
    retries: { 'with its time': late(3 * DAY) },
    replays: {
      'another body with the same checksum': {
        bytes: (body) => withCrcOf(body, (letters) => Buffer.from(JSON.stringify({ id: 'WH-FORGED', x: letters }))),
      },
    },
  },
  // `plaid` on npm, SyncUpdatesAvailableWebhook: nothing of it varies; Plaid Support, "Can Plaid re-push failed or missed
  // webhook events?": 24 hours, longer than the time of one signature.
  plaid: {
    rule: 'time+body',
    level: 'full',
    other: { after: DAY + 1 },
    retries: { 'which looks like news': { after: 30, gives: 'alike' }, 'the same token': late(30) },
  },
  // postmarkapp.com, "Understanding Inbound Webhook Retries": ten and a half hours.
  postmark: {
    rule: 'id+body',
    level: 'token',
    other: { set: { DeliveredAt: '2026-01-02T03:04:06Z' } },
    retries: { 'the same bytes': late(10.5 * HOUR) },
    replays: {
      'another body': { bytes: replaced('user@', 'other@'), gives: 'conflict' },
    },
  },
  // Razorpay, "Best Practices" for webhooks: x-razorpay-event-id; 24 hours.
  razorpay: {
    rule: 'id+body',
    level: 'body',
    unsigned: ['id'],
    other: { headers: { 'x-razorpay-event-id': 'another' }, set: { created_at: 1 } },
    retries: { 'with the same id': late(DAY) },
  },
  resend: standard('resend', 28),
  // sendgrid/docs, issue 2933: an event came up to 46 times over 29 hours.
  sendgrid: {
    rule: 'per-item',
    level: 'full',
    other: { set: { '0.sg_event_id': 'another' } },
    retries: { 'with a time of its own': renewed(29 * HOUR) },
  },
  // Shopify, "Verify webhook deliveries": X-Shopify-Webhook-Id names a delivery; changelog of September 2024: four hours,
  // the original payload. A deletion says nothing but which number.
  shopify: {
    rule: 'id+body',
    level: 'body',
    unsigned: ['type', 'id'],
    first: { body: { id: 7 }, headers: { 'x-shopify-topic': 'products/delete' } },
    other: { headers: { 'x-shopify-webhook-id': 'another' }, gives: 'alike' },
    retries: { 'within four hours': late(4 * HOUR) },
    replays: {
      'another subscription of the event': { headers: { 'x-shopify-webhook-id': 'another' }, gives: 'alike' },
      'another topic': {
        headers: { 'x-shopify-topic': 'collections/delete', 'x-shopify-webhook-id': 'another' },
        gives: 'held',
      },
    },
  },
  // Slack, "Events API": three retries, each signed anew, and X-Slack-Retry-Num.
  slack: {
    rule: 'signed-id',
    level: 'full',
    other: { set: { event_id: 'Ev2' } },
    retries: { 'with a time of its own': { after: 5 * MINUTE, headers: { 'x-slack-retry-num': '3' } } },
  },
  // Slack, "Slash commands": a form; nothing is sent again.
  'slack, commands': {
    rule: 'time+body',
    level: 'full',
    sender: { ...SAMPLES.slack, isForm: true },
    first: { body: { command: '/deploy', trigger_id: '1.2' } },
    other: { set: { trigger_id: '3.4' } },
    retries: { 'the same bytes': late(300) },
  },
  // SNS developer guide, "Message delivery retries": an hour; "Verifying the signatures": the fields.
  sns: {
    rule: 'signed-id',
    level: 'fields',
    other: { set: { MessageId: 'another' } },
    retries: { 'within an hour': late(HOUR) },
    replays: {
      'attributes that nobody signed': { bytes: replaced('"Type"', '"MessageAttributes":{},"Type"') },
      'another way to leave': { bytes: replaced('"Type"', '"UnsubscribeURL":"https://evil.example","Type"') },
      'another escape': { bytes: replaced('Notification', '\\u004eotification') },
      'another certificate': { bytes: replaced('"Type"', '"SigningCertURL":"https://evil.example/","Type"') },
    },
  },
  // Square, "Validate notifications": the address is signed; "Troubleshoot Webhooks": 72 hours.
  square: {
    rule: 'signed-id',
    level: 'body',
    other: { set: { event_id: 'another' } },
    retries: { 'the same bytes': late(72 * HOUR) },
    replays: {
      'the body in the query': { query: '?{', bytes: (body) => body.toString().slice(1), gives: 'refused' },
    },
  },
  'standard-webhooks': standard('standard-webhooks', 72),
  // Stripe, "Receive Stripe events in your webhook endpoint": three days, each try signed anew.
  stripe: {
    rule: 'signed-id',
    level: 'full',
    other: { set: { id: 'evt_2', 'data.object.id': 'pi_2' } },
    retries: { 'with a time of its own': renewed(3 * DAY) },
  },
  // supabase/auth, hookshttp.go: each try has a webhook-id of its own, the body stays.
  supabase: {
    rule: 'signed-id',
    level: 'full',
    other: { set: { 'metadata.uuid': 'another' } },
    retries: { 'with an id and a time of its own': { after: 4, headers: { 'webhook-id': 'another' } } },
    replays: {
      'a border moved from the id to the time': { headers: { 'webhook-id': 'msg' }, gives: 'refused' },
    },
  },
  // Resend, "Retries and replays": 28 hours.
  svix: standard('svix', 28),
  // core.telegram.org/bots/api, "Getting updates": kept for 24 hours.
  telegram: {
    rule: 'id+body',
    level: 'token',
    other: { set: { update_id: 7 } },
    retries: { 'the same bytes': late(DAY) },
    replays: {
      'another text': { bytes: replaced('Hello', 'Bye'), gives: 'conflict' },
    },
  },
  // twilio-node, lib/webhooks/webhooks.js: names and values of a form, sorted, with nothing between them.
  twilio: {
    rule: 'id+body',
    level: 'fields',
    first: { body: statusForm },
    other: { body: 'MessageSid=SM1&MessageStatus=undelivered', headers: { [DELIVERY_TOKEN]: 'another' } },
    retries: { 'with the same token': late(15) },
    replays: {
      'another token': { headers: { [DELIVERY_TOKEN]: 'another' } },
      'another order': { bytes: () => 'MessageStatus=delivered&MessageSid=SM1' },
      'a field twice': { bytes: () => `${statusForm}&MessageStatus=delivered` },
      'another escape': { bytes: replaced('delivered', '%64elivered') },
    },
  },
  // Twilio, "Webhooks: Connection Overrides": retries have the same I-Twilio-Idempotency-Token.
  'twilio, without a status': {
    rule: 'id+body',
    level: 'fields',
    unsigned: ['type', 'id'],
    first: { body: { CallSid: 'CA1', Digits: '1' } },
    other: { headers: { [DELIVERY_TOKEN]: 'another' }, gives: 'held' },
    retries: { 'with the same token': late(15) },
    replays: {
      'no token': { headers: { [DELIVERY_TOKEN]: undefined }, gives: 'held' },
      'another order': { bytes: () => 'Digits=1&CallSid=CA1' },
    },
  },
  // twilio-node, validateRequestWithBody: the address holds a hash of the body.
  'twilio, JSON': {
    rule: 'id+body',
    level: 'body',
    unsigned: ['type', 'id'],
    sender: hashed,
    first: { query: hashQuery },
    other: { headers: { [DELIVERY_TOKEN]: 'another' }, gives: 'held' },
    retries: { 'with the same token': late(4 * HOUR) },
  },
  // dev.twitch.tv/docs/eventsub, "Handling duplicate events": the same id; "Guarding against replay attacks": ten minutes.
  twitch: {
    rule: 'signed-id',
    level: 'full',
    other: { headers: { 'twitch-eventsub-message-id': 'another' } },
    retries: { 'with its time': late(10 * MINUTE), 'with a time of its own': renewed(HOUR) },
    replays: {
      'another type of message': { headers: { 'twitch-eventsub-message-type': 'revocation' } },
    },
  },
  // Typeform (hookdeck.com, "Guide to Typeform Webhooks"): ten hours.
  typeform: {
    rule: 'signed-id',
    level: 'body',
    other: { set: { event_id: 'another' } },
    retries: { 'the same bytes': late(10 * HOUR) },
  },
  // class-wc-webhook.php: get_new_delivery_id, one for all deliveries of a webhook within a second; build_payload, `{id}`
  // for whatever is deleted.
  woocommerce: {
    rule: 'id+body',
    level: 'body',
    unsigned: ['type', 'id'],
    first: { body: { id: 101 }, headers: { 'x-wc-webhook-topic': 'order.deleted' } },
    other: { headers: { 'x-wc-webhook-delivery-id': 'another' }, gives: 'alike' },
    retries: { 'which it never sends': late(1) },
    replays: {
      'another topic': { headers: { 'x-wc-webhook-topic': 'customer.deleted' } },
      'another topic under another id': {
        headers: { 'x-wc-webhook-topic': 'customer.deleted', 'x-wc-webhook-delivery-id': 'another' },
        gives: 'held',
      },
    },
  },
  // workos-node: 180 s; how it retries is not documented.
  workos: {
    rule: 'signed-id',
    level: 'full',
    other: { set: { id: 'event_2' } },
    retries: { 'with its time, late': late(72 * HOUR), 'with a time of its own': renewed(72 * HOUR) },
  },
  // developer.xero.com, "Configuring your server": up to 24 hours; entropy is random.
  xero: {
    rule: 'per-item',
    level: 'body',
    other: { set: { lastEventSequence: 2, firstEventSequence: 2 } },
    retries: { 'with another random text': { after: DAY, set: { entropy: 'another' } } },
  },
  // Zendesk, "Webhooks API: introduction": the body is what its customer wrote; "Managing webhooks": three tries.
  zendesk: {
    rule: 'time+body',
    level: 'full',
    unsigned: ['type'],
    first: { body: 'Somebody has a question' },
    other: { after: 1, headers: { 'x-zendesk-webhook-invocation-id': 'another' }, gives: 'alike' },
    retries: { 'with its time': late(HOUR), 'with a time of its own': { after: HOUR, gives: 'alike' } },
  },
  // Zoom, "Resolving webhook delays": after 5, 25 and 85 minutes; no id.
  zoom: {
    rule: 'time+body',
    level: 'full',
    other: { set: { event_ts: 1 } },
    retries: {
      'with its time, late': late(115 * MINUTE),
      'with a time of its own': { after: 115 * MINUTE, gives: 'alike' },
    },
  },
  // The base payload (webhooks-29).
  payment: {
    rule: 'signed-id',
    level: 'full',
    sender: payment,
    other: { set: { eventId: 'pay-2' } },
    retries: { 'with a time of its own': renewed(DAY) },
  },
  'order-status': {
    rule: 'signed-id',
    level: 'full',
    sender: orderStatus,
    other: { set: { eventId: 'ord-2' } },
    retries: { 'with a time of its own': renewed(DAY) },
  },
}

/** Standard Webhooks, "Retries": the id stays, and each try has a time of its own. */
function standard(name: 'clerk' | 'openai' | 'resend' | 'standard-webhooks' | 'svix', hours: number): Given {
  const prefix = ['openai', 'standard-webhooks'].includes(name) ? 'webhook' : 'svix'
  return {
    rule: 'signed-id',
    level: 'full',
    other: { headers: { [`${prefix}-id`]: 'msg_2' } },
    retries: { 'with a time of its own': renewed(hours * HOUR) },
    replays: {
      'a border moved from the id to the time': { headers: { [`${prefix}-id`]: 'msg' }, gives: 'refused' },
    },
  }
}
