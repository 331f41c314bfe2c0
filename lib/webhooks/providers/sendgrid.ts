import { itemsAt, shared } from '../find.ts'
import { type Provider, UNKNOWN_RETRIES } from '../provider.ts'
import { type ProviderSample, secondsOf } from '../sample.ts'
import { readBase64, readTenDigits } from '../schemes/encoding.ts'
import { ECDSA_P256 } from '../schemes/methods.ts'
import { timeAndBody } from '../schemes/time-and-body.ts'

const HEADER = 'x-twilio-email-event-webhook'

export const provider = {
  /** docs.sendgrid.com, "Getting started with the Event Webhook security features"; the public key is configured. */
  scheme: timeAndBody({
    header: `${HEADER}-signature`,
    timeHeader: `${HEADER}-timestamp`,
    method: ECDSA_P256,
    read: readBase64,
    readTime: readTenDigits,
  }),
  identity: [{ rule: 'per-item', items: itemsAt([], ['sg_event_id'], ['event']) }],
  retries: UNKNOWN_RETRIES,
  type: shared([], 'event'),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['delivered', 'open', 'bounce'],
  draft: (event, { id, at }) => ({
    body: [{ email: 'user@example.com', event, sg_event_id: id, timestamp: secondsOf(at) }],
  }),
  prove: ({ base64, seconds }) => ({
    headers: { [`${HEADER}-timestamp`]: seconds, [`${HEADER}-signature`]: base64 },
  }),
  described: {
    header: '`X-Twilio-Email-Event-Webhook-Signature`',
    secret: 'public key, base64',
    signed: 'time, body',
  },
})
