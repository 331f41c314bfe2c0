import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../../../lib/webhooks/providers/samples.ts'
import { sourceOf } from '../../../../lib/webhooks/sources/catalog.ts'
import { trustStored, verify } from '../../../../lib/webhooks/verify.ts'
import { SEEDS, type Seed } from '../../../inputs/signatures/seeds.ts'
import { START } from '../../../support/fakes/clock.ts'

const SIGNED = (eventId: string, eventType: string) => ({ rule: 'signed-id', eventId, eventType })
const UNSIGNED = (eventId: string, eventType: string) => ({ rule: 'id+body', eventId, eventType })
const TIMED = (eventType: string) => ({ rule: 'time+body', eventId: undefined, eventType })
const BATCH = (eventType: string) => ({ rule: 'per-item', eventId: undefined, eventType })
/** Equal content within the time in which the sender repeats. */
const WINDOW = (eventType: string) => ({ rule: 'window', eventId: undefined, eventType })
const NEW = (eventType: string) => ({ rule: 'always-new', eventId: undefined, eventType })

/** The identity of each valid vector. */
const WANTED: Readonly<Record<string, object>> = {
  adyen: UNSIGNED('7914073381342284:AUTHORISATION:true', 'AUTHORISATION'),
  'adyen-platform': UNSIGNED(
    'balancePlatform.transfer.updated|3JERI65VWN88P8TX|2025-10-09T10:53:20+02:00',
    'balancePlatform.transfer.updated',
  ),
  bitbucket: UNSIGNED('b2c1', 'repo:push'),
  calendly: SIGNED('https://api.calendly.com/x|invitee.created', 'invitee.created'),
  chargebee: UNSIGNED('ev_1', 'subscription_created'),
  clerk: SIGNED('msg_1', 'user.created'),
  discord: SIGNED('1', '1'),
  docusign: WINDOW('envelope-completed'),
  dropbox: NEW('UNKNOWN'),
  'event-grid': BATCH('Microsoft.Storage.BlobCreated'),
  github: UNSIGNED('72d3162e-cc78-11e3-81ab-4c9367dc0958', 'pull_request'),
  'gitlab-signed': SIGNED('msg_1', 'Push Hook'),
  'gitlab-token': UNSIGNED('k-1', 'Push Hook'),
  'google-pubsub': UNSIGNED('2070443601311540', 'OBJECT_FINALIZE'),
  'hubspot-v3': BATCH('contact.creation'),
  intercom: SIGNED('notif_1', 'user.created'),
  line: BATCH('message'),
  linear: UNSIGNED('d-1', 'Issue'),
  mailgun: SIGNED('a'.repeat(50), 'delivered'),
  meta: BATCH('whatsapp_business_account'),
  'microsoft-graph': NEW('updated'),
  openai: SIGNED('msg_1', 'order.updated'),
  paddle: SIGNED('evt_01', 'transaction.completed'),
  paypal: SIGNED('d938e770-8046-11e6-8103-6b62a8a99ac4', 'PAYMENT.SALE.COMPLETED'),
  plaid: TIMED('TRANSACTIONS:SYNC_UPDATES_AVAILABLE'),
  postmark: UNSIGNED('Delivery|00000000-0000-0000-0000-000000000001|2025-10-09T08:53:20Z', 'Delivery'),
  razorpay: UNSIGNED('ev1', 'payment.captured'),
  resend: SIGNED('msg_1', 'email.delivered'),
  sendgrid: BATCH('delivered'),
  shopify: UNSIGNED('w-1', 'orders/create'),
  slack: SIGNED('Ev1', 'message'),
  sns: SIGNED('22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324', 'Notification'),
  square: SIGNED('sq-1', 'payment.updated'),
  'standard-webhooks': SIGNED('msg_1', 'order.updated'),
  'standard-webhooks-v1a': SIGNED('msg_1', 'order.updated'),
  stripe: SIGNED('evt_1', 'payment_intent.succeeded'),
  supabase: SIGNED('8a6e0804-2bd0-4672-b79d-d97027f9071a', 'before-user-created'),
  svix: SIGNED('msg_1', 'order.updated'),
  telegram: UNSIGNED('900000001', 'message'),
  'twilio-form': NEW('UNKNOWN'),
  'twilio-json': NEW('UNKNOWN'),
  twitch: SIGNED('e76c6bd4-55c9-4987-8304-da1588d8988b', 'channel.follow'),
  typeform: SIGNED('tf1', 'form_response'),
  woocommerce: UNSIGNED('d1', 'order.updated'),
  workos: SIGNED('event_1', 'user.created'),
  xero: BATCH('INVOICE.UPDATE'),
  zendesk: TIMED('UNKNOWN'),
  zoom: TIMED('meeting.started'),
}

/** One call of each scheme and each of its ways, without those that carry another body to try the signature. */
const GENUINE = Object.keys(WANTED).map((kind): [string, Seed] => {
  const seed = SEEDS.find((one) => one.kind === kind)
  if (!seed) throw new Error(`no vector of ${kind}`)
  return [kind, seed]
})

/** The vectors name some schemes of one provider apart. */
function providerIn(kind: string): string {
  return Object.hasOwn(PROVIDERS, kind) ? kind : kind.replace(/-\w+$/, '')
}

/** What operators see of a call beside its body and the headers of its sample. */
const ALSO_KEPT: Readonly<Record<string, readonly string[]>> = {
  clerk: ['svix-timestamp'],
  'event-grid': [
    'aeg-subscription-name',
    'aeg-delivery-count',
    'ce-id',
    'ce-source',
    'ce-subject',
    'ce-time',
    'ce-type',
  ],
  gitlab: ['x-gitlab-webhook-uuid', 'webhook-timestamp'],
  'google-pubsub': [
    'eventtype',
    'x-goog-pubsub-message-id',
    'x-goog-pubsub-publish-time',
    'x-goog-pubsub-subscription-name',
  ],
  openai: ['webhook-timestamp'],
  paypal: ['paypal-transmission-time'],
  resend: ['svix-timestamp'],
  slack: ['x-slack-retry-num', 'x-slack-retry-reason'],
  sns: ['x-amz-sns-subscription-arn'],
  'standard-webhooks': ['webhook-timestamp'],
  supabase: ['webhook-timestamp'],
  svix: ['svix-timestamp'],
  twitch: [
    'twitch-eventsub-message-timestamp',
    'twitch-eventsub-subscription-type',
    'twitch-eventsub-subscription-version',
  ],
}

/** What the source reads of a call that needs no proof, from the headers that would be kept of it. */
function read(name: string, body: string | object, headers: Readonly<Record<string, string>> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return sourceOf(name).read({ body: trustStored(Buffer.from(text)), headers: keptOf(name, headers) })
}

function keptOf(name: string, headers: Seed['call']['headers']): Record<string, string> {
  const kept = sourceOf(name).keptHeaders ?? []
  return Object.fromEntries(
    Object.entries(headers).flatMap(([header, value = '']) => (kept.includes(header) ? [[header, value]] : [])),
  )
}

const UNUSABLE = { eventId: undefined, hasUnusableId: true }

describe('the identity of an event', () => {
  it.each(GENUINE)('of %s', (kind, seed) => {
    const verdict = verify(seed.call, seed)
    if (!verdict.ok) throw new Error(verdict.reason)
    const name = providerIn(kind)
    const { body, proven } = verdict
    const { identity } = sourceOf(name).read({ body, proven, headers: keptOf(name, seed.call.headers) })
    expect(identity).toMatchObject(WANTED[kind] ?? {})
    expect(identity.hasUnusableId).toBeUndefined()
  })

  it('needs no credential, token or signature among the stored headers', () => {
    for (const name of Object.keys(PROVIDERS)) {
      const { keptHeaders = [], scheme } = sourceOf(name)
      expect(keptHeaders).not.toContain(scheme.header)
      for (const header of keptHeaders.filter((kept) => kept !== 'i-twilio-idempotency-token')) {
        expect(header).not.toMatch(/signature|hmac|token|authorization|cookie|secret|-sig$/)
      }
    }
  })

  it.each(Object.entries(SAMPLES))('of %s keeps the headers that describe it, and no others', (name, sample) => {
    const { headers = {} } = sample.draft(sample.events[0], { id: 'x', at: START })
    const described = Object.keys(headers).filter((header) => header !== 'content-type')
    const kept = [...described, ...(ALSO_KEPT[name] ?? [])]
    expect(sourceOf(name).keptHeaders?.toSorted()).toEqual(kept.sort())
  })

  it.each<[string, string, object, Record<string, string>, object]>([
    ['generic: a list', 'demo', [{ eventId: 'e' }], {}, WINDOW('UNKNOWN')],
    ['generic: a header is ignored', 'demo', {}, { 'x-event-id': 'e' }, WINDOW('UNKNOWN')],
    ['an empty id is ignored', 'demo', { eventId: '', eventType: '' }, {}, WINDOW('UNKNOWN')],
    [
      'a type with a control character is unknown',
      'paddle',
      { event_id: 'a', event_type: 'a\n' },
      {},
      SIGNED('a', 'UNKNOWN'),
    ],
    ['paypal: the id of the body is ignored', 'paypal', { id: 'a', event_type: 'e' }, {}, WINDOW('e')],
    ['a type of 257 characters is unknown', 'zoom', { event: 'a'.repeat(257) }, {}, TIMED('UNKNOWN')],
    ['an inherited name is not a field', 'demo', { __proto__: { eventId: 'e' } }, {}, WINDOW('UNKNOWN')],
    ['gitlab: a token without any id', 'gitlab', {}, {}, NEW('UNKNOWN')],
    ['twilio: a status', 'twilio', { MessageSid: 'SM1', MessageStatus: 'sent' }, {}, UNSIGNED('SM1|sent', 'sent')],
    [
      'twilio: a status of a call, which may occur twice',
      'twilio',
      { CallSid: 'CA1', CallStatus: 'ringing', SequenceNumber: 2 },
      {},
      UNSIGNED('CA1|ringing|2', 'ringing'),
    ],
    ['twilio: the token', 'twilio', { EventType: 'e' }, { 'i-twilio-idempotency-token': 't' }, UNSIGNED('t', 'e')],
    ['shopify: an empty event id', 'shopify', {}, { 'x-shopify-event-id': 'e' }, NEW('UNKNOWN')],
    ['a batch of two types', 'sendgrid', [{ event: 'open' }, { event: 'click' }], {}, BATCH('UNKNOWN')],
    ['a batch of nothing', 'line', { destination: 'U1', events: [] }, {}, BATCH('UNKNOWN')],
    ['a malformed batch', 'hubspot', { subscriptionType: 'a' }, {}, BATCH('UNKNOWN')],
    ['adyen: no pspReference', 'adyen', adyen({ pspReference: '' }), {}, WINDOW('E')],
    ['adyen: no event code', 'adyen', adyen({ eventCode: undefined }), {}, WINDOW('UNKNOWN')],
    ['adyen: a separator in another field', 'adyen', adyen({ merchantReference: 'a:1' }), {}, WINDOW('E')],
    ['calendly: a separator in its id', 'calendly', { payload: { uri: 'a|b' }, event: 'c' }, {}, WINDOW('c')],
    [
      'adyen-platform: a merchant',
      'adyen-platform',
      { type: 'merchant.created', createdAt: '2025', data: { merchantId: 'MC1' } },
      {},
      UNSIGNED('merchant.created|MC1|2025', 'merchant.created'),
    ],
    ['adyen-platform: no time', 'adyen-platform', { type: 't', data: { id: 'i' } }, {}, NEW('t')],
    [
      'postmark: a bounce, which has an id of its own',
      'postmark',
      { RecordType: 'Bounce', ID: 42, MessageID: 'm', BouncedAt: '2025' },
      {},
      UNSIGNED('Bounce|m|42', 'Bounce'),
    ],
    [
      'postmark: an inbound message, which has no record type',
      'postmark',
      { MessageStream: 'inbound', MessageID: 'm' },
      {},
      UNSIGNED('inbound|m|-', 'inbound'),
    ],
    ['postmark: no message', 'postmark', { RecordType: 'Bounce', ID: 42 }, {}, NEW('Bounce')],
    [
      'supabase: without metadata, as in older versions',
      'supabase',
      { user: {} },
      { 'webhook-id': 'w' },
      SIGNED('w', 'UNKNOWN'),
    ],
    ['telegram: the member next to the number', 'telegram', { poll: {}, update_id: 7 }, {}, UNSIGNED('7', 'poll')],
    ['telegram: no update', 'telegram', ['a'], {}, NEW('UNKNOWN')],
    ['twitch: a revocation', 'twitch', { subscription: { type: 't' } }, {}, WINDOW('revocation')],
    ['twitch: several events', 'twitch', { subscription: { type: 't' }, events: [] }, {}, WINDOW('t')],
    ['mailgun: no token', 'mailgun', { signature: { timestamp: '1' } }, {}, WINDOW('UNKNOWN')],
  ])('%s', (_, name, body, headers, wanted) => {
    const { identity } = read(name, body, headers)
    expect(identity).toMatchObject(wanted)
    expect(identity.hasUnusableId).toBeUndefined()
  })

  it.each<[string, string, object | string, Record<string, string>, object]>([
    ['a number', 'demo', { eventId: 1 }, {}, WINDOW('UNKNOWN')],
    ['an object', 'paddle', { event_id: {} }, {}, WINDOW('UNKNOWN')],
    ['257 characters', 'svix', {}, { 'svix-id': 'a'.repeat(257) }, WINDOW('UNKNOWN')],
    ['257 unsigned characters', 'shopify', {}, { 'x-shopify-webhook-id': 'a'.repeat(257) }, NEW('UNKNOWN')],
    ['a control character', 'slack', { event_id: 'a\u0000' }, {}, WINDOW('UNKNOWN')],
    ['a dot, which a client removes from an address', 'square', { event_id: '.' }, {}, WINDOW('UNKNOWN')],
    ['two dots', 'razorpay', {}, { 'x-razorpay-event-id': '..' }, NEW('UNKNOWN')],
  ])(
    'is not %s: such an id counts as missing, and the record shows that there was one',
    (_, name, body, headers, wanted) => {
      expect(read(name, body, headers).identity).toMatchObject({ ...wanted, ...UNUSABLE })
    },
  )
})

describe('an element of a batch', () => {
  const batch = {
    entry: [{ changes: [{ field: 'messages', value: { messages: [{ id: 'wamid.1' }] } }, { field: 'feed' }] }],
  }

  it.each<[string, string, object, readonly object[]]>([
    [
      'an id of several parts, all of which it needs',
      'hubspot',
      [{ portalId: 1, subscriptionId: 2, eventId: 3, occurredAt: 4 }, { eventId: 3 }],
      [{ eventId: '1|2|3|4' }, { eventId: undefined }],
    ],
    [
      'the id of its message, if it has one',
      'meta',
      batch,
      [{ eventId: 'wamid.1', eventType: 'messages' }, { eventType: 'feed' }],
    ],
    [
      'its resource, its change and its time as an id',
      'xero',
      {
        events: [
          { resourceId: 'r', eventType: 'UPDATE', eventDateUtc: '2026', eventCategory: 'INVOICE' },
          { resourceId: 'r', eventType: 'UPDATE' },
        ],
      },
      [
        { eventId: 'r|UPDATE|2026', eventType: 'INVOICE.UPDATE' },
        { eventId: undefined, eventType: 'UNKNOWN' },
      ],
    ],
    ['the id of a message', 'meta', { entry: [{ messaging: [{ message: { mid: 'm' } }] }] }, [{ eventId: 'm' }]],
    [
      'none with an impossible id',
      'sendgrid',
      [{ sg_event_id: 'a'.repeat(257), event: '\u0000' }, { sg_event_id: '' }, { sg_event_id: {} }, null],
      Array(4).fill({ eventId: undefined, eventType: 'UNKNOWN' }),
    ],
  ])('has %s', (_, name, body, items) => {
    const found = read(name, body).items
    expect(found).toHaveLength(items.length)
    expect(found).toMatchObject(items)
  })

  it.each(['line', 'hubspot', 'meta', 'sendgrid', 'xero'])('is missing in an unreadable body of %s', (name) => {
    expect(read(name, '{').items).toBeUndefined()
  })
})

function adyen(changes: object) {
  const item = { pspReference: 'p', eventCode: 'E', success: 'true', ...changes }
  return { notificationItems: [{ NotificationRequestItem: item }] }
}
