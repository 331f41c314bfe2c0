import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import { sourceOf } from '../../../../lib/webhooks/sources/by-name.ts'
import { trustStored } from '../../../../lib/webhooks/verify.ts'
import vectors from '../../../vectors/webhook-signatures.json' with { type: 'json' }

const BODIES = new Map(vectors.vectors.map(({ id, bodyBase64 }) => [id, bodyBase64]))

/** Every call that holds, but for those that carry another body to try the signature. */
const VALID = vectors.vectors.filter(
  ({ scheme, expected, bodyBase64 }) => expected === 'valid' && bodyBase64 === BODIES.get(`${scheme}/valid`),
)

/** The vectors name some schemes of one provider apart. */
function providerIn(scheme: string): string {
  return Object.hasOwn(PROVIDERS, scheme) ? scheme : scheme.replace(/-\w+$/, '')
}

const SIGNED = (eventId: string, eventType: string) => ({ eventId, eventType })
const UNSIGNED = (eventId: string | undefined, eventType: string) => ({ eventId, isIdSigned: false, eventType })
const NONE = (eventType: string) => ({ eventId: undefined, eventType })

const WANTED: Readonly<Record<string, object>> = {
  adyen: SIGNED('7914073381342284:AUTHORISATION:true', 'AUTHORISATION'),
  bitbucket: UNSIGNED('b2c1', 'repo:push'),
  calendly: SIGNED('https://api.calendly.com/x|invitee.created', 'invitee.created'),
  discord: SIGNED('1', '1'),
  docusign: NONE('envelope-completed'),
  dropbox: NONE('UNKNOWN'),
  github: UNSIGNED('72d3162e-cc78-11e3-81ab-4c9367dc0958', 'pull_request'),
  'gitlab-signed': SIGNED('msg_1', 'Push Hook'),
  'gitlab-token': UNSIGNED('k-1', 'Push Hook'),
  'hubspot-v3': NONE('contact.creation'),
  intercom: SIGNED('notif_1', 'user.created'),
  line: NONE('message'),
  linear: UNSIGNED('d-1', 'Issue'),
  mailgun: SIGNED('a'.repeat(50), 'delivered'),
  meta: NONE('whatsapp_business_account'),
  openai: SIGNED('msg_1', 'order.updated'),
  paddle: SIGNED('evt_01', 'transaction.completed'),
  paypal: SIGNED('d938e770-8046-11e6-8103-6b62a8a99ac4', 'PAYMENT.SALE.COMPLETED'),
  plaid: NONE('TRANSACTIONS:SYNC_UPDATES_AVAILABLE'),
  razorpay: UNSIGNED('ev1', 'payment.captured'),
  sendgrid: NONE('delivered'),
  shopify: UNSIGNED('orders/create|e-1', 'orders/create'),
  slack: SIGNED('Ev1', 'message'),
  square: SIGNED('sq-1', 'payment.updated'),
  'standard-webhooks': SIGNED('msg_1', 'order.updated'),
  stripe: SIGNED('evt_1', 'payment_intent.succeeded'),
  svix: SIGNED('msg_1', 'order.updated'),
  'twilio-form': NONE('UNKNOWN'),
  'twilio-json': NONE('UNKNOWN'),
  typeform: SIGNED('tf1', 'form_response'),
  woocommerce: UNSIGNED('d1', 'order.updated'),
  workos: SIGNED('event_1', 'user.created'),
  zendesk: UNSIGNED('inv1', 'UNKNOWN'),
  zoom: NONE('meeting.started'),
}

/** What operators see of a call beside its body. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  bitbucket: ['x-event-key', 'x-request-uuid', 'x-hook-uuid', 'x-attempt-number'],
  github: ['x-github-event', 'x-github-delivery'],
  gitlab: [
    'x-gitlab-event',
    'x-gitlab-event-uuid',
    'x-gitlab-webhook-uuid',
    'x-gitlab-instance',
    'idempotency-key',
    'webhook-id',
    'webhook-timestamp',
  ],
  linear: ['linear-delivery', 'linear-event'],
  openai: ['webhook-id', 'webhook-timestamp'],
  paypal: ['paypal-transmission-id', 'paypal-transmission-time'],
  razorpay: ['x-razorpay-event-id'],
  shopify: [
    'x-shopify-topic',
    'x-shopify-event-id',
    'x-shopify-webhook-id',
    'x-shopify-shop-domain',
    'x-shopify-api-version',
    'x-shopify-triggered-at',
  ],
  slack: ['x-slack-retry-num', 'x-slack-retry-reason'],
  'standard-webhooks': ['webhook-id', 'webhook-timestamp'],
  svix: ['svix-id', 'svix-timestamp'],
  twilio: ['i-twilio-idempotency-token'],
  woocommerce: ['x-wc-webhook-delivery-id', 'x-wc-webhook-topic', 'x-wc-webhook-id', 'x-wc-webhook-source'],
  zendesk: ['x-zendesk-webhook-id', 'x-zendesk-webhook-invocation-id'],
}

/** What the source reads of a call, from the headers that would be kept of it. */
function read(name: string, body: string | Buffer | object, headers: Readonly<Record<string, unknown>> = {}) {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const source = sourceOf(name)
  const given = Object.entries(headers).map(([header, value]) => [header.toLowerCase(), String(value)] as const)
  const kept = given.filter(([header]) => source.keptHeaders?.includes(header))
  return source.read({ body: trustStored(Buffer.from(bytes)), headers: Object.fromEntries(kept) })
}

const identityOf = (...given: Parameters<typeof read>) => read(...given).identity

describe('the identity of an event', () => {
  it('is known of the vectors', () => {
    const schemes = new Set(VALID.map(({ scheme }) => scheme))
    expect(Object.keys(WANTED).filter((scheme) => !schemes.has(scheme))).toEqual([])
  })

  it.each(VALID.map(({ id, ...vector }) => [id, vector] as const))('of %s', (_, { scheme, ...vector }) => {
    const identity = identityOf(providerIn(scheme), Buffer.from(vector.bodyBase64, 'base64'), vector.headers)
    expect(identity).toEqual(WANTED[scheme] ?? expect.anything())
  })

  it('needs no credential, token or signature among the kept headers', () => {
    for (const name of Object.keys(PROVIDERS)) {
      const { keptHeaders = [], scheme } = sourceOf(name)
      expect(keptHeaders).not.toContain(scheme.header)
      for (const header of keptHeaders.filter((kept) => kept !== 'i-twilio-idempotency-token')) {
        expect(header).not.toMatch(/signature|hmac|token|authorization|cookie|secret|-sig$/)
      }
    }
  })

  it.each(Object.entries(KEPT))('of %s keeps the headers that tell something, and no other', (name, kept) => {
    expect(sourceOf(name).keptHeaders).toEqual(kept)
  })

  it.each<[string, string, object, Record<string, string>, object]>([
    ['generic: the base payload', 'demo', { eventId: 'e', eventType: 't' }, {}, SIGNED('e', 't')],
    ['generic: a list', 'demo', [{ eventId: 'e' }], {}, NONE('UNKNOWN')],
    ['generic: a header is none', 'demo', {}, { 'X-Event-Id': 'e' }, NONE('UNKNOWN')],
    ['an empty id is none', 'demo', { eventId: '', eventType: '' }, {}, NONE('UNKNOWN')],
    ['null is none', 'slack', { event_id: null, type: 'x' }, {}, NONE('x')],
    [
      'a type of another kind is unknown',
      'paddle',
      { event_id: 'a', event_type: { a: 1 } },
      {},
      SIGNED('a', 'UNKNOWN'),
    ],
    ['a type with a control character too', 'paddle', { event_id: 'a', event_type: 'a\n' }, {}, SIGNED('a', 'UNKNOWN')],
    ['paypal: the id of the body is none', 'paypal', { id: 'a', event_type: 'e' }, {}, NONE('e')],
    ['a type of 257 characters too', 'zoom', { event: 'a'.repeat(257) }, {}, NONE('UNKNOWN')],
    ['an inherited name is no field', 'demo', { __proto__: { eventId: 'e' } }, {}, NONE('UNKNOWN')],
    [
      'docusign: with the time',
      'docusign',
      { event: 'e', generatedDateTime: '2026-01-02T03:04:05.6Z', data: { envelopeId: 'i' } },
      {},
      SIGNED('i|e|2026-01-02T03:04:05.6Z', 'e'),
    ],
    ['discord: an event', 'discord', { type: 1, event: { type: 'QUEST' } }, {}, NONE('QUEST')],
    ['gitlab: a token without any id', 'gitlab', {}, {}, UNSIGNED(undefined, 'UNKNOWN')],
    ['github: without an id', 'github', {}, { 'X-GitHub-Event': 'ping' }, UNSIGNED(undefined, 'ping')],
    ['gitlab: an empty id', 'gitlab', {}, { 'webhook-id': '', 'idempotency-key': 'k' }, UNSIGNED('k', 'UNKNOWN')],
    ['twilio: the token is none', 'twilio', { EventType: 'e' }, { 'I-Twilio-Idempotency-Token': 't' }, NONE('e')],
    ['zendesk: its type', 'zendesk', { type: 'zen:event-type:x' }, {}, UNSIGNED(undefined, 'zen:event-type:x')],
    ['shopify: without an event id', 'shopify', {}, { 'X-Shopify-Webhook-Id': 'w' }, UNSIGNED('w', 'UNKNOWN')],
    ['a batch of two types', 'sendgrid', [{ event: 'open' }, { event: 'click' }], {}, NONE('UNKNOWN')],
    ['a batch of one type', 'sendgrid', [{ event: 'open' }, { event: 'open' }], {}, NONE('open')],
    ['a batch of nothing', 'line', { destination: 'U1', events: [] }, {}, NONE('UNKNOWN')],
    ['a batch that is none', 'hubspot', { subscriptionType: 'a' }, {}, NONE('UNKNOWN')],
    ['adyen: a truth value', 'adyen', adyen({ success: true }), {}, SIGNED('p:E:true', 'E')],
  ])('%s', (_, name, body, headers, wanted) => {
    expect(identityOf(name, body, headers)).toEqual(wanted)
  })

  it.each<[string, string, object, Record<string, string>]>([
    ['a number for an id', 'demo', { eventId: 1 }, {}],
    ['an object for an id', 'paddle', { event_id: {} }, {}],
    ['an id of 257 characters', 'svix', {}, { 'svix-id': 'a'.repeat(257) }],
    ['an id with a control character', 'slack', { event_id: 'a\u0000' }, {}],
    ['half of a character', 'slack', '{"event_id":"\\ud800"}' as never, {}],
    ['an adyen item without a pspReference', 'adyen', adyen({ pspReference: '' }), {}],
    ['an adyen item without an event code', 'adyen', adyen({ eventCode: undefined }), {}],
    ['an adyen item that cuts the signed text elsewhere', 'adyen', adyen({ pspReference: 'p:', success: 'true' }), {}],
    ['an adyen item that cuts it at the end', 'adyen', adyen({ success: 'E:true' }), {}],
    ['mailgun without a token', 'mailgun', { signature: { timestamp: '1' } }, {}],
  ])('refused: %s', (_, name, body, headers) => {
    expect(() => identityOf(name, body, headers)).toThrow(expect.objectContaining({ code: 'VALIDATION_FAILED' }))
  })

  it.each<[string, string, object | string, string]>([
    ['of adyen', 'adyen', adyen({ eventCode: 'E:' }), 'must not hold : in the parts of its id'],
    ['of calendly', 'calendly', { payload: { uri: 'a|b' }, event: 'c' }, 'must not hold | in the parts of its id'],
    ['that is no form of twilio', 'twilio', '', 'must be a form or JSON'],
    ['of stripe that is no object', 'stripe', [], 'must be a JSON object'],
    ['of payment that is no object', 'payment', [], 'must be a JSON object'],
  ])('is refused as a whole, and says why: one %s', (_, name, body, message) => {
    const validationErrors = [{ field: 'body', message, rejectedValue: null }]
    expect(() => identityOf(name, body)).toThrow(expect.objectContaining({ details: { validationErrors } }))
  })
})

function adyen(changes: object) {
  const item = { pspReference: 'p', eventCode: 'E', success: 'true', ...changes }
  return { notificationItems: [{ NotificationRequestItem: item }] }
}
