import { rewritten, type Sender, secondsOf } from './sender.ts'

/** Services for messages and calls. Payloads follow the pages that the rows of the scheme table name. */

export const discord: Sender = {
  events: ['APPLICATION_AUTHORIZED', 'ENTITLEMENT_CREATE'],
  draft: (type, { id, at }) => ({
    body: {
      version: 1,
      application_id: '1234560123453231555',
      type: 1,
      id,
      event: { type, timestamp: at.toISOString(), data: { integration_type: 1 } },
    },
  }),
  prove: ({ hex, seconds }) => ({ headers: { 'x-signature-ed25519': hex, 'x-signature-timestamp': seconds } }),
}

export const intercom: Sender = {
  events: ['user.created', 'conversation.user.created'],
  draft: (topic, { id, at }) => ({
    body: { type: 'notification_event', id: `notif_${id}`, topic, created_at: secondsOf(at), data: { item: { id } } },
  }),
  prove: ({ hex }) => ({ headers: { 'x-hub-signature': `sha1=${hex}` } }),
}

export const line: Sender = {
  events: ['message', 'follow', 'unfollow'],
  draft: (type, { id, at }) => ({
    body: {
      destination: 'Ugatehouse',
      events: [{ webhookEventId: id, type, mode: 'active', timestamp: at.getTime() }],
    },
  }),
  prove: ({ base64 }) => ({ headers: { 'x-line-signature': base64 } }),
}

interface MailgunCall {
  readonly signature: { readonly token: string }
}

export const mailgun: Sender = {
  events: ['delivered', 'opened', 'failed'],
  draft: (event, { id, at }) => ({
    body: {
      signature: { token: id.replaceAll('-', '').padEnd(50, '0') },
      'event-data': { event, id, recipient: 'user@example.com', timestamp: secondsOf(at) },
    },
  }),
  prove: ({ hex, seconds }, { body }) => ({
    body: rewritten(body, (values) => {
      const { token } = (values as unknown as MailgunCall).signature
      return { ...values, signature: { timestamp: seconds, token, signature: hex } }
    }),
  }),
}

export const meta: Sender = {
  events: ['whatsapp_business_account', 'page', 'instagram'],
  draft: (object, { id, at }) => ({ body: { object, entry: [{ id, time: secondsOf(at), changes: [] }] } }),
  prove: ({ hex }) => ({ headers: { 'x-hub-signature-256': `sha256=${hex}` } }),
}

const SENDGRID = 'x-twilio-email-event-webhook'

export const sendgrid: Sender = {
  events: ['delivered', 'open', 'bounce'],
  draft: (event, { id, at }) => ({
    body: [{ email: 'user@example.com', event, sg_event_id: id, timestamp: secondsOf(at) }],
  }),
  prove: ({ base64, seconds }) => ({
    headers: { [`${SENDGRID}-timestamp`]: seconds, [`${SENDGRID}-signature`]: base64 },
  }),
}

export const slack: Sender = {
  events: ['message', 'app_mention', 'reaction_added'],
  draft: (type, { id, at }) => ({
    body: {
      type: 'event_callback',
      team_id: 'T0GATE',
      event_id: `Ev${id}`,
      event_time: secondsOf(at),
      event: { type, user: 'U0USER', text: 'Hello', channel: 'C0DEMO' },
    },
  }),
  prove: ({ hex, seconds }) => ({
    headers: { 'x-slack-request-timestamp': seconds, 'x-slack-signature': `v0=${hex}` },
  }),
}

export const twilio: Sender = {
  events: ['sent', 'delivered', 'undelivered'],
  isForm: true,
  draft: (MessageStatus, { id }) => ({
    headers: { 'i-twilio-idempotency-token': id },
    body: { MessageSid: `SM${id.replaceAll('-', '')}`, MessageStatus, From: '+15005550006', To: '+15005550001' },
  }),
  prove: ({ base64 }) => ({ headers: { 'x-twilio-signature': base64 } }),
}

export const zendesk: Sender = {
  events: ['zen:event-type:ticket.created', 'zen:event-type:user.created'],
  draft: (type, { id, at }) => ({
    headers: { 'x-zendesk-webhook-id': '01GATEHOUSE', 'x-zendesk-webhook-invocation-id': id },
    body: { type, account_id: 22129848, id, time: at.toISOString(), subject: 'zen:ticket:7', detail: { id: '7' } },
  }),
  prove: ({ base64, instant }) => ({
    headers: { 'x-zendesk-webhook-signature-timestamp': instant, 'x-zendesk-webhook-signature': base64 },
  }),
}

export const zoom: Sender = {
  events: ['meeting.started', 'meeting.ended', 'recording.completed'],
  draft: (event, { id, at }) => ({
    body: {
      event,
      event_ts: at.getTime(),
      payload: { account_id: 'gatehouse', object: { uuid: id, topic: 'Stand-up' } },
    },
  }),
  prove: ({ hex, seconds }) => ({ headers: { 'x-zm-request-timestamp': seconds, 'x-zm-signature': `v0=${hex}` } }),
}
