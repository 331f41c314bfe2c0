import { type Proof, rewritten, type Sender, secondsOf } from './sender.ts'

/** Services that people work with. Payloads follow the pages that the rows of the scheme table name. */

export const bitbucket: Sender = {
  events: ['repo:push', 'pullrequest:created', 'issue:created'],
  draft: (event, { id }) => ({
    headers: {
      'x-event-key': event,
      'x-request-uuid': id,
      'x-hook-uuid': '0e1d2c3b-gate-house',
      'x-attempt-number': '1',
    },
    body: { actor: { nickname: 'octocat' }, repository: { full_name: 'octocat/hello-world' }, push: { changes: [id] } },
  }),
  prove: ({ hex }) => ({ headers: { 'x-hub-signature': `sha256=${hex}` } }),
}

export const calendly: Sender = {
  events: ['invitee.created', 'invitee.canceled'],
  draft: (event, { id, at }) => ({
    body: {
      event,
      created_at: at.toISOString(),
      payload: { uri: `https://api.calendly.com/scheduled_events/e/invitees/${id}`, email: 'user@example.com' },
    },
  }),
  prove: ({ hex, seconds }) => ({ headers: { 'calendly-webhook-signature': `t=${seconds},v1=${hex}` } }),
}

export const docusign: Sender = {
  events: ['envelope-completed', 'envelope-sent', 'envelope-declined'],
  draft: (event, { id, at }) => ({
    body: { event, generatedDateTime: at.toISOString(), data: { accountId: 'gatehouse', envelopeId: id } },
  }),
  prove: ({ base64 }) => ({ headers: { 'x-docusign-signature-1': base64 } }),
}

export const dropbox: Sender = {
  events: ['list_folder'],
  draft: (event, { id }) => ({ body: { [event]: { accounts: [`dbid:${id}`] } } }),
  prove: ({ hex }) => ({ headers: { 'x-dropbox-signature': hex } }),
}

export const gitlab: Sender = {
  events: ['Push Hook', 'Merge Request Hook', 'Issue Hook'],
  draft: (event, { id }) => ({
    headers: {
      'x-gitlab-event': event,
      'x-gitlab-event-uuid': id,
      'x-gitlab-instance': 'https://gitlab.example',
      'idempotency-key': id,
      'webhook-id': `msg_${id}`,
    },
    body: { object_kind: 'push', ref: 'refs/heads/main', checkout_sha: id, user_username: 'octocat' },
  }),
  prove: standardHeaders('webhook'),
}

export const hubspot: Sender = {
  events: ['contact.creation', 'deal.creation', 'contact.deletion'],
  draft: (subscriptionType, { id, at }) => ({
    body: [{ eventId: 1, subscriptionType, objectId: 2, sourceId: id, occurredAt: at.getTime() }],
  }),
  prove: ({ base64, milliseconds }) => ({
    headers: { 'x-hubspot-request-timestamp': milliseconds, 'x-hubspot-signature-v3': base64 },
  }),
}

export const linear: Sender = {
  events: ['Issue', 'Comment', 'Project'],
  draft: (type, { id, at }) => ({
    headers: { 'linear-delivery': id, 'linear-event': type },
    body: { action: 'create', type, createdAt: at.toISOString(), data: { id, title: 'Say hello' }, webhookId: 'w1' },
  }),
  prove: ({ hex, milliseconds }, { body }) => ({
    headers: { 'linear-signature': hex },
    body: rewritten(body, (values) => ({ ...values, webhookTimestamp: Number(milliseconds) })),
  }),
}

export const openai = standard('webhook', ['response.completed', 'batch.completed', 'fine_tuning.job.succeeded'])
export const standardWebhooks = standard('webhook', ['order.updated', 'order.created', 'user.deleted'])
export const svix = standard('svix', ['invoice.paid', 'invoice.created', 'user.updated'])

export const typeform: Sender = {
  events: ['form_response'],
  draft: (event_type, { id, at }) => ({
    body: { event_id: id, event_type, form_response: { form_id: 'gate1', token: id, submitted_at: at.toISOString() } },
  }),
  prove: ({ base64 }) => ({ headers: { 'typeform-signature': `sha256=${base64}` } }),
}

export const workos: Sender = {
  events: ['user.created', 'connection.activated', 'dsync.user.deleted'],
  draft: (event, { id, at }) => ({
    body: { id: `event_${id}`, event, data: { object: 'user', id: `user_${id}` }, created_at: at.toISOString() },
  }),
  prove: ({ hex, milliseconds }) => ({ headers: { 'workos-signature': `t=${milliseconds}, v1=${hex}` } }),
}

function standard(prefix: 'webhook' | 'svix', events: Sender['events']): Sender {
  return {
    events,
    draft: (type, { id, at }) => ({
      headers: { [`${prefix}-id`]: `msg_${id}` },
      body: { type, timestamp: at.toISOString(), created_at: secondsOf(at), data: { id } },
    }),
    prove: standardHeaders(prefix),
  }
}

/** Standard Webhooks, "Signature scheme"; the id is a header of the message. */
function standardHeaders(prefix: 'webhook' | 'svix') {
  return ({ base64, seconds }: Proof) => ({
    headers: { [`${prefix}-timestamp`]: seconds, [`${prefix}-signature`]: `v1,${base64}` },
  })
}
