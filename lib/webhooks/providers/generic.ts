import { body, textIn } from '../find.ts'
import { OWN_RETRIES, type Provider } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { readHex, readSeconds } from '../schemes/encoding.ts'
import { HMAC_SHA256 } from '../schemes/methods.ts'
import { REFUSALS, type SignatureScheme } from '../schemes/scheme.ts'

/** A time, as it is signed before a body: a body that begins so may be that of a timed call, which moved its time there. */
const TIMED = /^\d+\./

/** The scheme of every name without one of its own: `X-Signature`, and optionally `X-Timestamp` (webhooks-17). */
export const generic: SignatureScheme = {
  header: 'x-signature',
  methods: [HMAC_SHA256],
  read({ headers, body }) {
    const signature = readHex((headers['x-signature'] ?? '').replace(/^sha256=/, ''))
    const timestamp = headers['x-timestamp']
    if (timestamp === undefined) {
      if (!signature || TIMED.test(body.toString('latin1', 0, 32))) return undefined
      return { method: HMAC_SHA256, signatures: [signature], signed: () => [body] }
    }
    const signedAt = readSeconds(timestamp)
    if (!signature || signedAt === undefined) return undefined
    return { method: HMAC_SHA256, signatures: [signature], signed: () => [`${timestamp}.`, body], signedAt }
  },
  toleranceSeconds: 300,
  refusals: REFUSALS,
}

/** Every name without a provider of its own: the base payload (webhooks-4, webhooks-29). */
export const provider = {
  scheme: generic,
  identity: [{ rule: 'signed-id', id: body('eventId') }],
  retries: OWN_RETRIES,
  type: textIn('eventType'),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['greeting.said', 'door.opened'],
  draft: (eventType, { id, at }) => ({
    body: { eventId: `evt-${id}`, eventType, timestamp: at.toISOString(), source: 'demo', text: 'Hello' },
  }),
  prove: ({ hex, seconds }) => ({ headers: { 'x-timestamp': seconds, 'x-signature': `sha256=${hex}` } }),
  described: {
    header: '`X-Signature`, `X-Timestamp`',
    secret: 'text',
    signed: 'time if sent (300 s), body',
  },
})
