import { expect, it } from 'vitest'
import { START } from '../../../support/fakes/clock.ts'
import { receiverFor } from '../../../support/webhook-receiver.ts'
import { callOf, rows } from './row-calls.ts'

interface Reason {
  /** What in the signed body, or in what came with the secret, names the occurrence. */
  readonly names: string
  /** The provider's page that says so. */
  readonly source: string
}

const OWN_EVENT_ID: Reason = { names: '`eventId`', source: 'docs/reference/webhooks.md#webhooks-50' }

/** Whose samples are dropped when they come again under another delivery id, a minute later, signed anew. */
const DROPPED: Readonly<Record<string, Reason>> = {
  adyen: {
    names: '`eventCode` and `pspReference`, which duplicates share',
    source: 'https://docs.adyen.com/development-resources/webhooks/handle-webhook-events',
  },
  'adyen-platform': {
    names: '`type`, `data.id` or `data.merchantId`, and the time of the event',
    source: 'https://docs.adyen.com/api-explorer/transfer-webhooks/latest/post/balancePlatform.transfer.updated',
  },
  asana: {
    names: '`action`, `created_at` and the `gid` of each element',
    source: 'https://developers.asana.com/docs/webhooks-guide',
  },
  calendly: {
    names: '`event` and the `uri` of the invitee, who is created and canceled once',
    source: 'https://developer.calendly.com/api-docs/c1ddc06ce1f1b-webhook-payload',
  },
  chargebee: { names: '`id`, unique for each event', source: 'https://apidocs.chargebee.com/docs/api/events' },
  discord: {
    names: '`id`, the snowflake of the interaction',
    source: 'https://discord.com/developers/docs/interactions/receiving-and-responding',
  },
  docusign: {
    names: '`event`, `envelopeId` and `generatedDateTime`',
    source: 'https://developers.docusign.com/platform/webhooks/connect/json-sim-event-model',
  },
  'docusign, XML': {
    names: '`EnvelopeID` and `TimeGenerated`',
    source: 'https://developers.docusign.com/platform/webhooks/connect/legacy-message-formats',
  },
  'event-grid': {
    names: '`id`, unique for each event',
    source: 'https://learn.microsoft.com/azure/event-grid/event-schema',
  },
  generic: OWN_EVENT_ID,
  'generic, without an id and a time': {
    names: 'nothing: within 24 hours equal content counts as repeated, so a sender needs an `eventId` or a time',
    source: 'docs/reference/webhooks.md#webhooks-50',
  },
  'google-pubsub': {
    names: '`messageId`, unique within the topic',
    source: 'https://cloud.google.com/pubsub/docs/reference/rest/v1/PubsubMessage',
  },
  hubspot: {
    names: '`eventId`, `occurredAt` and the object of each element',
    source: 'https://developers.hubspot.com/docs/api/webhooks',
  },
  intercom: {
    names: '`id` of the notification',
    source: 'https://developers.intercom.com/docs/webhooks/webhook-notifications',
  },
  line: {
    names: '`webhookEventId` of each element',
    source: 'https://developers.line.biz/en/docs/messaging-api/receiving-messages/',
  },
  mailgun: {
    names: '`token`, which is to be taken once',
    source: 'https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks',
  },
  meta: {
    names: '`time` and `id` of each entry',
    source: 'https://developers.facebook.com/docs/graph-api/webhooks/getting-started',
  },
  notion: {
    names: '`id`, unique for each event',
    source: 'https://developers.notion.com/reference/webhooks-events-delivery',
  },
  paddle: {
    names: '`event_id`, the key to tell duplicates by',
    source: 'https://developer.paddle.com/webhooks/about/how-webhooks-work',
  },
  postmark: {
    names: '`MessageID` and the time of what happened to the message',
    source: 'https://postmarkapp.com/developer/webhooks/delivery-webhook',
  },
  sendgrid: {
    names: '`sg_event_id` of each element',
    source: 'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event',
  },
  slack: { names: '`event_id`, unique across all workspaces', source: 'https://docs.slack.dev/apis/events-api/' },
  sns: {
    names: '`MessageId`, unique for each message',
    source: 'https://docs.aws.amazon.com/sns/latest/dg/http-notification-json.html',
  },
  square: {
    names: '`event_id`, unique for each event',
    source: 'https://developer.squareup.com/docs/webhooks/overview',
  },
  stripe: { names: '`id`, which duplicates share', source: 'https://docs.stripe.com/webhooks#handle-duplicate-events' },
  supabase: {
    names: '`metadata.uuid` of the call of the hook',
    source: 'https://supabase.com/docs/guides/auth/auth-hooks',
  },
  telegram: {
    names: '`update_id`, by which repeated updates are ignored',
    source: 'https://core.telegram.org/bots/api#update',
  },
  twilio: {
    names: '`MessageSid` and `MessageStatus`: a message takes each status once',
    source: 'https://www.twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks',
  },
  typeform: {
    names: '`event_id`, unique for each webhook',
    source: 'https://www.typeform.com/developers/webhooks/example-payload/',
  },
  workos: { names: '`id` of the event', source: 'https://workos.com/docs/events/data-syncing/webhooks' },
  xero: {
    names: '`firstEventSequence` and `lastEventSequence`',
    source: 'https://developer.xero.com/documentation/guides/webhooks/configuring-your-server/',
  },
  payment: OWN_EVENT_ID,
  'order-status': OWN_EVENT_ID,
}

const OTHER_DELIVERY = '1b4e28ba-2fa1-4d2b-883f-b9a761bde3fb'

const samples = rows.flatMap(([title, row]) => row.sender.events.map((event) => [title, event, row] as const))

it('drops a sample that comes again under another delivery id only if its body names the occurrence', async () => {
  const dropped = new Set<string>()
  for (const [title, event, row] of samples) {
    const receiver = receiverFor(row.name)
    expect(await receiver.receive(callOf(row, {}, event)), `${title} ${event}`).toBe('stored')
    receiver.clock.advance(60_000)
    const { headers } = row.sender.draft(event, { id: OTHER_DELIVERY, at: START })
    const again = callOf(row, { after: 60, headers: { ...headers, ...row.first?.headers } }, event)
    const outcome = await receiver.receive(again)
    if (outcome === 'duplicate' || outcome === 'disputed') dropped.add(Object.hasOwn(DROPPED, title) ? title : row.name)
  }
  expect([...dropped].sort()).toEqual(Object.keys(DROPPED).sort())
})
