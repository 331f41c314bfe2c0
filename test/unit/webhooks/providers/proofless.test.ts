import { describe, expect, it } from 'vitest'
import { providerOf } from '../../../../lib/webhooks/providers/index.ts'
import type { Headers } from '../../../../lib/webhooks/schemes/scheme.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

/** Headers of which each provider's scheme reads a proof. */
const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  discord: { 'x-signature-ed25519': 'a1', 'x-signature-timestamp': '1760000000' },
  docusign: { 'x-docusign-signature-1': 'AAAA' },
  hubspot: { 'x-hubspot-signature-v3': 'AAAA', 'x-hubspot-request-timestamp': '1760000000000' },
  linear: { 'linear-signature': 'a1' },
  paypal: {
    'paypal-transmission-id': 'id-1',
    'paypal-transmission-time': '2025-10-09T08:53:20Z',
    'paypal-transmission-sig': 'AAAA',
    'paypal-auth-algo': 'SHA256withRSA',
  },
  sendgrid: {
    'x-twilio-email-event-webhook-signature': 'AAAA',
    'x-twilio-email-event-webhook-timestamp': '1760000000',
  },
  slack: { 'x-slack-signature': 'v0=a1', 'x-slack-request-timestamp': '1760000000' },
  'standard-webhooks': { 'webhook-id': 'm', 'webhook-timestamp': '1760000000', 'webhook-signature': 'v1,AAAA' },
  zendesk: {
    'x-zendesk-webhook-signature': 'AAAA',
    'x-zendesk-webhook-signature-timestamp': '2025-10-09T08:53:20Z',
  },
}

const BODY = '{"webhookTimestamp":1760000000000}'
const read = (name: string, changes: Headers, body = BODY) =>
  readingOf(providerOf(name).scheme, signedCall({ ...HEADERS[name], ...changes }, body))

describe('a call proves nothing to', () => {
  it.each<[string, string, Headers, body?: string]>([
    ['discord', 'a time of eleven digits, of which one may be of the body', { 'x-signature-timestamp': '17600000001' }],
    ['docusign', 'a signature that is not base64', { 'x-docusign-signature-1': '?' }],
    ['hubspot', 'a time of twelve digits', { 'x-hubspot-request-timestamp': '176000000000' }],
    ['hubspot', 'a time of fourteen digits', { 'x-hubspot-request-timestamp': '17600000000000' }],
    ['linear', 'no time in the body', {}, '{}'],
    ['linear', 'a time in words', {}, '{"webhookTimestamp":"now"}'],
    ['linear', 'a body that is not JSON', {}, 'no JSON'],
    ['paypal', 'another algorithm', { 'paypal-auth-algo': 'SHA1withRSA' }],
    ['paypal', 'no algorithm', { 'paypal-auth-algo': undefined }],
    ['paypal', 'no id', { 'paypal-transmission-id': undefined }],
    ['paypal', 'no time', { 'paypal-transmission-time': undefined }],
    ['sendgrid', 'a time of nine digits', { 'x-twilio-email-event-webhook-timestamp': '176000000' }],
    ['slack', 'another version', { 'x-slack-signature': 'v1=a1' }],
    ['slack', 'no version', { 'x-slack-signature': 'a1' }],
    ['slack', 'a time in words', { 'x-slack-request-timestamp': 'now' }],
    ['standard-webhooks', 'no id', { 'webhook-id': undefined }],
    ['standard-webhooks', 'an empty id', { 'webhook-id': '' }],
    ['standard-webhooks', 'no time', { 'webhook-timestamp': undefined }],
    ['standard-webhooks', 'signatures of other versions only', { 'webhook-signature': 'v2,AAAA v1b,AAAA' }],
    ['zendesk', 'a time without its zone', { 'x-zendesk-webhook-signature-timestamp': '2025-10-09T08:53:20' }],
  ])('%s with %s', (name, _, changes, body) => {
    expect(read(name, {})).toBeDefined()
    expect(read(name, changes, body)).toBeUndefined()
  })
})
