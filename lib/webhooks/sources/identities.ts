import type { Buffer } from 'node:buffer'
import { fingerprint } from '../identity.ts'
import type { SCHEMES } from '../schemes/table.ts'
import { body, type Find, first, header, joined, parseFormOrJson, shared, text } from './find.ts'

/** Where an id stands, and what it is worth. */
interface IdPlace {
  readonly find: Find
  /** False where the signature does not cover it: whoever repeats a call could change it. */
  readonly isSigned: boolean
  /** The body is not signed, so its hash could not stand in for an id. */
  readonly isRequired?: true
}

/** What a provider calls its events. */
export interface IdentityRow {
  /** The first that is there counts; without one the bytes themselves identify the event. */
  readonly ids: readonly IdPlace[]
  readonly type?: Find
  /** The headers that tell something of the event; never credentials or signatures. */
  readonly keptHeaders?: readonly string[]
  /** Undefined for JSON. */
  readonly parse?: (body: Buffer) => unknown
}

type Provider = Exclude<keyof typeof SCHEMES, 'stripe' | 'github'>

const inBody = (...path: readonly string[]): IdPlace => ({ find: body(...path), isSigned: true })
const inSignedHeader = (name: string): IdPlace => ({ find: header(name), isSigned: true })
const inHeader = (name: string): IdPlace => ({ find: header(name), isSigned: false })

/** Batches: each of their events has an id, the call has none. */
const NO_ID: readonly IdPlace[] = []

function standard(prefix: 'webhook' | 'svix'): IdentityRow {
  const id = `${prefix}-id`
  return { ids: [inSignedHeader(id)], type: text('type'), keptHeaders: [id, `${prefix}-timestamp`] }
}

const ADYEN_ITEM = ['notificationItems', '0', 'NotificationRequestItem'] as const

/** The base payload of spec 2.4. */
const GENERIC: IdentityRow = { ids: [inBody('eventId')], type: text('eventType') }

/** From the pages that the rows of the scheme table name. */
const IDENTITIES: Readonly<Record<Provider, IdentityRow>> = {
  /** All three are signed, with colons between them; nothing else tells two calls apart that is. */
  adyen: {
    ids: [
      {
        find: joined(':', ...['pspReference', 'eventCode', 'success'].map((name) => text(...ADYEN_ITEM, name))),
        isSigned: true,
        isRequired: true,
      },
    ],
    type: text(...ADYEN_ITEM, 'eventCode'),
  },
  bitbucket: {
    ids: [inHeader('x-request-uuid')],
    type: header('x-event-key'),
    keptHeaders: ['x-event-key', 'x-request-uuid', 'x-hook-uuid', 'x-attempt-number'],
  },
  calendly: {
    ids: [{ find: joined('|', text('payload', 'uri'), text('event')), isSigned: true }],
    type: text('event'),
  },
  /** Interactions have an id, webhook events none. */
  discord: { ids: [inBody('id')], type: first(text('event', 'type'), text('type')) },
  /** `retryCount` in the body makes each try look like another event. */
  docusign: {
    ids: [
      {
        find: joined('|', text('data', 'envelopeId'), text('event'), text('generatedDateTime')),
        isSigned: true,
      },
    ],
    type: text('event'),
  },
  dropbox: { ids: NO_ID },
  generic: GENERIC,
  /** A call with a signing token has an id of Standard Webhooks; one with a secret token has nothing that is signed. */
  gitlab: {
    ids: [inSignedHeader('webhook-id'), inHeader('idempotency-key')],
    type: header('x-gitlab-event'),
    keptHeaders: [
      'x-gitlab-event',
      'x-gitlab-event-uuid',
      'x-gitlab-webhook-uuid',
      'x-gitlab-instance',
      'idempotency-key',
      'webhook-id',
      'webhook-timestamp',
    ],
  },
  hubspot: { ids: NO_ID, type: shared([], 'subscriptionType') },
  intercom: { ids: [inBody('id')], type: text('topic') },
  line: { ids: NO_ID, type: shared(['events'], 'type') },
  linear: { ids: [inHeader('linear-delivery')], type: text('type'), keptHeaders: ['linear-delivery', 'linear-event'] },
  /** A signature is good for one token, whatever body it comes with. */
  mailgun: {
    ids: [{ find: body('signature', 'token'), isSigned: true, isRequired: true }],
    type: text('event-data', 'event'),
  },
  meta: { ids: NO_ID, type: text('object') },
  openai: standard('webhook'),
  paddle: { ids: [inBody('event_id')], type: text('event_type') },
  /** Of the body only a CRC-32 is signed, under which anybody can put another body: its `id` proves nothing. */
  paypal: {
    ids: [inSignedHeader('paypal-transmission-id')],
    type: text('event_type'),
    keptHeaders: ['paypal-transmission-id', 'paypal-transmission-time'],
  },
  plaid: { ids: NO_ID, type: joined(':', text('webhook_type'), text('webhook_code')) },
  razorpay: { ids: [inHeader('x-razorpay-event-id')], type: text('event'), keptHeaders: ['x-razorpay-event-id'] },
  sendgrid: { ids: NO_ID, type: shared([], 'event') },
  /** One action of a merchant is one event id in calls of several topics. */
  shopify: {
    ids: [
      { find: joined('|', header('x-shopify-topic'), header('x-shopify-event-id')), isSigned: false },
      inHeader('x-shopify-webhook-id'),
    ],
    type: header('x-shopify-topic'),
    keptHeaders: [
      'x-shopify-topic',
      'x-shopify-event-id',
      'x-shopify-webhook-id',
      'x-shopify-shop-domain',
      'x-shopify-api-version',
      'x-shopify-triggered-at',
    ],
  },
  slack: {
    ids: [inBody('event_id')],
    type: first(text('event', 'type'), text('type')),
    keptHeaders: ['x-slack-retry-num', 'x-slack-retry-reason'],
  },
  square: { ids: [inBody('event_id')], type: text('type') },
  'standard-webhooks': standard('webhook'),
  svix: standard('svix'),
  /** What is signed is the address and the sorted fields; the body's bytes and the token may differ in a copy. */
  twilio: {
    ids: [{ find: ({ signed }) => signed && fingerprint('twilio', ...signed()), isSigned: true }],
    type: first(text('EventType'), text('MessageStatus'), text('CallStatus')),
    keptHeaders: ['i-twilio-idempotency-token'],
    parse: parseFormOrJson,
  },
  typeform: { ids: [inBody('event_id')], type: text('event_type') },
  woocommerce: {
    ids: [inHeader('x-wc-webhook-delivery-id')],
    type: header('x-wc-webhook-topic'),
    keptHeaders: ['x-wc-webhook-delivery-id', 'x-wc-webhook-topic', 'x-wc-webhook-id', 'x-wc-webhook-source'],
  },
  workos: { ids: [inBody('id')], type: text('event') },
  zendesk: {
    ids: [inHeader('x-zendesk-webhook-invocation-id')],
    type: text('type'),
    keptHeaders: ['x-zendesk-webhook-id', 'x-zendesk-webhook-invocation-id'],
  },
  zoom: { ids: NO_ID, type: text('event') },
}

/** The row of a provider's name, else the generic one. */
export function identityRowOf(name: string): IdentityRow {
  const rows: Readonly<Record<string, IdentityRow>> = IDENTITIES
  return (Object.hasOwn(rows, name) ? rows[name] : undefined) ?? GENERIC
}
