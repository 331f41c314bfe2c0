import { describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../../../lib/webhooks/providers/samples.ts'
import { START } from '../../../support/fakes/clock.ts'
import { receiverFor, signedBy, type Unsigned } from '../../../support/webhook-receiver.ts'

interface Form extends Unsigned {
  /** The page that offers it. */
  readonly source: string
  /** Of the stored event; a batch has none but those of its elements. */
  readonly id?: string
  readonly type: string
  /** What differs when the provider sends it again. */
  readonly again?: Unsigned['headers']
}

const MESSAGE = { messageId: 'm-1', data: 'SGVsbG8=', attributes: { eventType: 'OBJECT_FINALIZE' } }
const CLOUD_EVENT = { specversion: '1.0', id: 'e-1', source: '/s', type: 'blob.created', data: { size: 5 } }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

/** The forms of delivery that a provider offers beside the one of its sample, by the name in the path. */
const FORMS: Readonly<Record<string, Form>> = {
  'event-grid, CloudEvents in a list': {
    source: 'learn.microsoft.com/azure/event-grid/cloud-event-schema',
    body: [CLOUD_EVENT],
    type: 'blob.created',
  },
  'event-grid, one CloudEvent': {
    source: 'learn.microsoft.com/azure/event-grid/cloud-event-schema',
    body: CLOUD_EVENT,
    headers: { 'content-type': 'application/cloudevents+json; charset=utf-8' },
    type: 'blob.created',
    again: { 'aeg-delivery-count': '1' },
  },
  'event-grid, a CloudEvent in headers': {
    source: 'github.com/cloudevents/spec, HTTP protocol binding, "Binary content mode"',
    body: CLOUD_EVENT.data,
    headers: { 'ce-specversion': '1.0', 'ce-id': 'e-1', 'ce-source': '/s', 'ce-type': 'blob.created' },
    id: '/s|e-1',
    type: 'blob.created',
    again: { 'aeg-delivery-count': '1' },
  },
  'google-pubsub, in snake case': {
    source: 'cloud.google.com/pubsub/docs/push',
    body: { message: { ...MESSAGE, messageId: undefined, message_id: 'm-1' }, subscription: 's' },
    id: 'm-1',
    type: 'OBJECT_FINALIZE',
  },
  'google-pubsub, without its wrapper': {
    source: 'cloud.google.com/pubsub/docs/payload-unwrapping',
    body: 'Hello',
    headers: { 'x-goog-pubsub-message-id': 'm-1', eventtype: 'OBJECT_FINALIZE' },
    id: 'm-1',
    type: 'OBJECT_FINALIZE',
  },
  'github, as a form': {
    source: 'docs.github.com/webhooks, "Content type"',
    body: `payload=${encodeURIComponent('{"zen":"z"}')}`,
    headers: { ...FORM, 'x-github-event': 'ping', 'x-github-delivery': 'd-1' },
    id: 'd-1',
    type: 'ping',
  },
  'slack, a command': {
    source: 'docs.slack.dev/interactivity/implementing-slash-commands',
    body: 'command=%2Fweather&text=94070&trigger_id=13345224609.738474920',
    headers: FORM,
    type: '/weather',
  },
  'slack, an interaction': {
    source: 'docs.slack.dev/interactivity/handling-user-interaction',
    body: `payload=${encodeURIComponent('{"type":"block_actions","trigger_id":"12466734323.1395872398"}')}`,
    headers: FORM,
    type: 'block_actions',
  },
  'docusign, as XML': {
    source: 'developers.docusign.com/platform/webhooks/connect/legacy-message-formats',
    body: '<D><EnvelopeStatus><EnvelopeID>v-1</EnvelopeID><TimeGenerated>2026-01-02T03:04:05</TimeGenerated></EnvelopeStatus></D>',
    id: 'v-1|envelope|2026-01-02T03:04:05|-',
    type: 'envelope',
  },
  'discord, an interaction': {
    source: 'discord.com/developers/docs/interactions/receiving-and-responding',
    body: { id: '1337', type: 2, data: { name: 'blep' } },
    id: '1337',
    type: '2',
  },
  'meta, messages of a page': {
    source: 'developers.facebook.com/docs/messenger-platform/webhooks',
    body: { object: 'page', entry: [{ id: '1', time: 2, messaging: [{ message: { mid: 'm-1' } }] }] },
    type: 'page',
  },
  'microsoft-graph, a notice on the subscription': {
    source: 'learn.microsoft.com/graph/change-notifications-lifecycle-events',
    body: { value: [{ subscriptionId: 's-1', lifecycleEvent: 'reauthorizationRequired', clientState: 'c' }] },
    type: 'reauthorizationRequired',
  },
  'postmark, an inbound message': {
    source: 'postmarkapp.com/developer/webhooks/inbound-webhook',
    body: { MessageStream: 'inbound', MessageID: 'm-1', Subject: 'Hello' },
    id: 'inbound|m-1|-',
    type: 'inbound',
  },
  'stripe, a thin event': {
    source: 'docs.stripe.com/api/v2/core/events',
    body: { id: 'evt_1', object: 'v2.core.event', type: 'v1.billing.meter.error_report_triggered' },
    id: 'evt_1',
    type: 'v1.billing.meter.error_report_triggered',
  },
  'twitch, several events': {
    source: 'dev.twitch.tv/docs/eventsub/eventsub-reference, "Drop Entitlement Grant Event"',
    body: { subscription: { type: 'drop.entitlement.grant' }, events: [{ id: 'e-1' }] },
    headers: { 'twitch-eventsub-message-id': 'm-1' },
    id: 'm-1',
    type: 'drop.entitlement.grant',
  },
  'asana, a sign of life': {
    source: 'developers.asana.com/docs/webhooks-guide, "Webhook heartbeat events"',
    body: { events: [] },
    type: 'UNKNOWN',
  },
}

const nameOf = (form: string) => form.split(',')[0] as keyof typeof PROVIDERS

describe('W6 another documented form of a delivery', () => {
  it.each(Object.entries(FORMS))(
    'is one event with its id and type, and so is its repetition: %s',
    async (form, given) => {
      const name = nameOf(form)
      const receiver = receiverFor(name)
      const { id, type, again = {}, headers, body, query = '' } = given
      const call = (others: Unsigned['headers'] = {}) =>
        signedBy(name, SAMPLES[name], { headers: { ...headers, ...others }, body, query }, START)
      expect(await receiver.receive(call())).toBe('stored')
      const [event] = receiver.events()
      expect(event).toMatchObject({ eventType: type, ...(id !== undefined && { eventId: id }) })
      expect(event?.dead).not.toBe(true)
      const isNew = 'identity' in PROVIDERS[name] && PROVIDERS[name].identity.some(({ rule }) => rule === 'always-new')
      expect(await receiver.receive(call(again))).toBe(isNew ? 'alike' : 'duplicate')
    },
  )
})
