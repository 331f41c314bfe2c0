import { body, joined, shared, summaryOf, textIn } from '../find.ts'
import { parsePayload } from '../form-payload.ts'
import { itemsAt } from '../identity.ts'
import { attempt } from '../json.ts'
import { type Provider, retriesFor, UNKNOWN_RETRIES } from '../provider.ts'
import { type ProviderSample, secondsOf } from '../sample.ts'
import { readBase64, readInstant, readMilliseconds, readSeconds, readTenDigits } from '../schemes/encoding.ts'
import { ECDSA_P256, HMAC_SHA256 } from '../schemes/methods.ts'
import { timeAndBody, timestamped } from '../schemes/timestamped.ts'

const SENDGRID_HEADER = 'x-twilio-email-event-webhook'

const ZENDESK_HEADER = 'x-zendesk-webhook-signature'

/** Senders whose signature covers a time and the body. */
export const TIMED = {
  calendly: {
    /** developer.calendly.com, "Webhook signatures". */
    scheme: timestamped({
      header: 'calendly-webhook-signature',
      separator: ',',
      names: { time: 't', signature: 'v1' },
      joint: '.',
      readTime: readSeconds,
      toleranceSeconds: 180,
    }),
    identity: [{ rule: 'signed-id', id: joined('|', textIn('payload', 'uri'), textIn('event')) }],
    retries: UNKNOWN_RETRIES,
    type: textIn('event'),
  },
  paddle: {
    /** developer.paddle.com/webhooks/signature-verification. */
    scheme: timestamped({
      header: 'paddle-signature',
      separator: ';',
      names: { time: 'ts', signature: 'h1' },
      joint: ':',
      readTime: readSeconds,
      toleranceSeconds: 5,
    }),
    identity: [{ rule: 'signed-id', id: body('event_id') }],
    /** developer.paddle.com, "Respond to webhooks": 60 tries in three days. */
    retries: retriesFor(72),
    type: textIn('event_type'),
    summary: summaryOf(textIn('data', 'id'), textIn('data', 'status')),
  },
  sendgrid: {
    /** docs.sendgrid.com, "Getting started with the Event Webhook security features"; the public key is configured. */
    scheme: timeAndBody({
      header: `${SENDGRID_HEADER}-signature`,
      timeHeader: `${SENDGRID_HEADER}-timestamp`,
      method: ECDSA_P256,
      read: readBase64,
      readTime: readTenDigits,
    }),
    identity: [{ rule: 'per-item', items: itemsAt([], ['sg_event_id'], ['event']) }],
    retries: UNKNOWN_RETRIES,
    type: shared([], 'event'),
  },
  workos: {
    /** workos.com/docs/events/data-syncing/webhooks. */
    scheme: timestamped({
      header: 'workos-signature',
      separator: ', ',
      names: { time: 't', signature: 'v1' },
      joint: '.',
      readTime: readMilliseconds,
      toleranceSeconds: 180,
    }),
    identity: [{ rule: 'signed-id', id: body('id') }],
    retries: UNKNOWN_RETRIES,
    type: textIn('event'),
    summary: textIn('data', 'id'),
  },
  zendesk: {
    /** developer.zendesk.com, "Verifying webhook authenticity". */
    scheme: timeAndBody({
      header: ZENDESK_HEADER,
      timeHeader: `${ZENDESK_HEADER}-timestamp`,
      method: HMAC_SHA256,
      read: readBase64,
      readTime: readInstant,
    }),
    /** The body is a template of the customer's, which may say the same every time. */
    identity: [{ rule: 'time+body' }],
    /** support.zendesk.com, "Managing webhooks": up to three tries. */
    retries: retriesFor(1),
    type: textIn('type'),
    summary: textIn('subject'),
    parse: (body) => attempt(() => parsePayload(body)).payload,
    keptHeaders: ['x-zendesk-webhook-id', 'x-zendesk-webhook-invocation-id'],
  },
} as const satisfies Readonly<Record<string, Provider>>

export const timedSamples = (): Readonly<Record<keyof typeof TIMED, ProviderSample>> => ({
  calendly: {
    events: ['invitee.created', 'invitee.canceled'],
    draft: (event, { id, at }) => ({
      body: {
        event,
        created_at: at.toISOString(),
        payload: { uri: `https://api.calendly.com/scheduled_events/e/invitees/${id}`, email: 'user@example.com' },
      },
    }),
    prove: ({ hex, seconds }) => ({ headers: { 'calendly-webhook-signature': `t=${seconds},v1=${hex}` } }),
    described: { header: '`Calendly-Webhook-Signature`', secret: 'text', signed: 'time (180 s), body' },
  },
  paddle: {
    events: ['transaction.completed', 'subscription.created', 'subscription.canceled'],
    draft: (event_type, { id, at }) => ({
      body: {
        event_id: `evt_${id}`,
        event_type,
        occurred_at: at.toISOString(),
        notification_id: `ntf_${id}`,
        data: { id: `txn_${id}`, status: 'completed', currency_code: 'EUR' },
      },
    }),
    prove: ({ hex, seconds }) => ({ headers: { 'paddle-signature': `ts=${seconds};h1=${hex}` } }),
    described: { header: '`Paddle-Signature`', secret: 'text', signed: 'time (5 s), body' },
  },
  sendgrid: {
    events: ['delivered', 'open', 'bounce'],
    draft: (event, { id, at }) => ({
      body: [{ email: 'user@example.com', event, sg_event_id: id, timestamp: secondsOf(at) }],
    }),
    prove: ({ base64, seconds }) => ({
      headers: { [`${SENDGRID_HEADER}-timestamp`]: seconds, [`${SENDGRID_HEADER}-signature`]: base64 },
    }),
    described: {
      header: '`X-Twilio-Email-Event-Webhook-Signature`',
      secret: 'public key, base64',
      signed: 'time, body',
    },
  },
  workos: {
    events: ['user.created', 'connection.activated', 'dsync.user.deleted'],
    draft: (event, { id, at }) => ({
      body: { id: `event_${id}`, event, data: { object: 'user', id: `user_${id}` }, created_at: at.toISOString() },
    }),
    prove: ({ hex, milliseconds }) => ({ headers: { 'workos-signature': `t=${milliseconds}, v1=${hex}` } }),
    described: { header: '`WorkOS-Signature`', secret: 'text', signed: 'time (180 s), body' },
  },
  zendesk: {
    events: ['zen:event-type:ticket.created', 'zen:event-type:user.created'],
    draft: (type, { id, at }) => ({
      headers: { 'x-zendesk-webhook-id': '01GATEHOUSE', 'x-zendesk-webhook-invocation-id': id },
      body: { type, account_id: 22129848, id, time: at.toISOString(), subject: 'zen:ticket:7', detail: { id: '7' } },
    }),
    prove: ({ base64, instant }) => ({
      headers: { 'x-zendesk-webhook-signature-timestamp': instant, 'x-zendesk-webhook-signature': base64 },
    }),
    described: { header: '`X-Zendesk-Webhook-Signature`', secret: 'text', signed: 'time, body' },
  },
})
