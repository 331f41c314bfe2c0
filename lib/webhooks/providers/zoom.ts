import { challengeAt } from '../challenge.ts'
import { pick, textIn } from '../find.ts'
import { type Handshake, type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { versioned } from '../schemes/timestamped.ts'

export const provider = {
  /** developers.zoom.us/docs/api/webhooks, "Verify webhook events". */
  scheme: versioned('x-zm-signature', 'x-zm-request-timestamp'),
  identity: [{ rule: 'time+body' }],
  /** developers.zoom.us, "Resolving webhook delays": tries after 5, 25 and 85 minutes. */
  retries: retriesFor(2),
  type: textIn('event'),
  handshake,
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['meeting.started', 'meeting.ended', 'recording.completed'],
  draft: (event, { id, at }) => ({
    body: {
      event,
      event_ts: at.getTime(),
      payload: { account_id: 'gatehouse', object: { uuid: id, topic: 'Stand-up' } },
    },
  }),
  prove: ({ hex, seconds }) => ({ headers: { 'x-zm-request-timestamp': seconds, 'x-zm-signature': `v0=${hex}` } }),
  described: { header: '`X-Zm-Signature`', secret: 'text', signed: 'time (300 s), body' },
})

/** The same page, "Validate your webhook endpoint". */
function handshake(payload: unknown, hmac: (text: string) => string): Handshake | undefined {
  if (pick(payload, ['event']) !== 'endpoint.url_validation') return undefined
  const plainToken = challengeAt(payload, 'payload', 'plainToken')
  return { body: { plainToken, encryptedToken: hmac(plainToken) } }
}
