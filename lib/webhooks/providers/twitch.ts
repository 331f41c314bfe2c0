import { challengeAt } from '../challenge.ts'
import { header, type Message, pick, valueAt } from '../find.ts'
import { type Handshake, type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { readHex, readInstant } from '../schemes/encoding.ts'
import { HMAC_SHA256 } from '../schemes/methods.ts'
import { REFUSALS, type SignatureScheme } from '../schemes/scheme.ts'

const HEADER = 'twitch-eventsub-message'

/**
 * Nothing separates id, time and body, and the body contains times as well. The first time in the signed text is that
 * of the message, so an id must not contain one.
 */
const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z/

/** dev.twitch.tv/docs/eventsub/handling-webhook-events, "Verifying the event message". */
const scheme: SignatureScheme = {
  header: `${HEADER}-signature`,
  methods: [HMAC_SHA256],
  read({ headers, body }) {
    const id = headers[`${HEADER}-id`] ?? ''
    const timestamp = headers[`${HEADER}-timestamp`] ?? ''
    const value = headers[`${HEADER}-signature`] ?? ''
    const signature = value.startsWith('sha256=') ? readHex(value.slice(7)) : undefined
    const signedAt = readInstant(timestamp)
    const named = id + timestamp
    if (!signature || signedAt === undefined || !id || named.search(TIME) !== id.length) return undefined
    const signed = () => [named, body]
    return { method: HMAC_SHA256, signatures: [signature], signed, signedAt, headers: [`${HEADER}-id`] }
  },
  /** dev.twitch.tv/docs/eventsub, "Guarding against replay attacks": ten minutes. */
  toleranceSeconds: 600,
  refusals: REFUSALS,
}

export const provider = {
  scheme,
  /** The same page, "Handling duplicate events": a repeated message has the same id. */
  identity: [{ rule: 'signed-id', id: header(`${HEADER}-id`) }],
  /** A receiver must drop what is older than ten minutes, however long Twitch repeats it. */
  retries: retriesFor(1 / 6),
  type: typeOf,
  keptHeaders: [
    `${HEADER}-id`,
    `${HEADER}-timestamp`,
    `${HEADER}-type`,
    `${HEADER}-retry`,
    'twitch-eventsub-subscription-type',
    'twitch-eventsub-subscription-version',
  ],
  handshake,
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['stream.online', 'channel.follow', 'channel.subscribe'],
  draft: (type, { id, at }) => ({
    headers: { [`${HEADER}-id`]: id, [`${HEADER}-type`]: 'notification', [`${HEADER}-retry`]: '0' },
    body: {
      subscription: { id, type, version: '1', status: 'enabled', created_at: at.toISOString() },
      event: { broadcaster_user_id: '1337', broadcaster_user_login: 'gatehouse' },
    },
  }),
  prove: ({ hex, instant }) => ({
    headers: { [`${HEADER}-timestamp`]: instant, [`${HEADER}-signature`]: `sha256=${hex}` },
  }),
  described: {
    header: '`Twitch-Eventsub-Message-Signature`',
    secret: 'text',
    signed: 'id, time (600 s), body',
  },
})

/** The header with the type of a message is not signed: a message without an event is a revocation. */
function typeOf({ payload }: Message): string | undefined {
  const type = pick(payload, ['subscription', 'type'])
  const isEvent = ['event', 'events'].some((name) => valueAt(payload, [name]) !== undefined)
  return type === undefined || isEvent ? type : 'revocation'
}

/** The same page, "Responding to a challenge request". */
function handshake(payload: unknown): Handshake | undefined {
  if (pick(payload, ['subscription', 'status']) !== 'webhook_callback_verification_pending') return undefined
  return { text: challengeAt(payload, 'challenge') }
}
