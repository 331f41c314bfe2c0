import { body, first, pick, textIn, valueAt } from '../find.ts'
import { type Handshake, type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { readHex, readTenDigits } from '../schemes/encoding.ts'
import { ED25519 } from '../schemes/methods.ts'
import { timeAndBody } from '../schemes/timestamped.ts'

export const provider = {
  /** discord.com/developers/docs, "Validating security request headers"; the public key is configured. */
  scheme: timeAndBody({
    header: 'x-signature-ed25519',
    timeHeader: 'x-signature-timestamp',
    method: ED25519,
    read: readHex,
    readTime: readTenDigits,
  }),
  /** Interactions have an id; webhook events have none. */
  identity: [{ rule: 'signed-id', id: body('id') }],
  /** discord.com/developers/docs, "Webhook Events": back-off for up to ten minutes. */
  retries: retriesFor(0.25),
  type: first(textIn('event', 'type'), textIn('type')),
  handshake,
} as const satisfies Provider

export const sample = (): ProviderSample => ({
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
  described: { header: '`X-Signature-Ed25519`', secret: 'public key, hexadecimal', signed: 'time, body' },
})

/**
 * discord.com/developers/docs: "Receiving and Responding" (interactions, whose PING has the type 1) and "Webhook Events"
 * (whose PING has the type 0, and whose events, with the type 1, hold an `event`).
 */
function handshake(payload: unknown): Handshake | undefined {
  const type = valueAt(payload, ['event']) === undefined ? pick(payload, ['type']) : undefined
  if (type === '0') return {}
  return type === '1' ? { body: { type: 1 } } : undefined
}
