import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import type { BusMessage } from '../../stomp/bus.ts'
import type { EventChange } from '../../webhooks/live/change-feed.ts'
import type { DeadDelivery } from '../../webhooks/live/dead-delivery.ts'

/** What comes out of an instance's queue. */
export type Notification =
  | { readonly kind: 'change'; readonly change: EventChange }
  | { readonly kind: 'death'; readonly delivery: DeadDelivery }
  /** The id tells a message from one like it: SNS may deliver it twice, and its publisher may send it twice. */
  | { readonly kind: 'message'; readonly id: string; readonly message: BusMessage }

const proof: z.ZodMiniType<EventChange['proof']> = z.object({
  level: z.enum(['full', 'body', 'fields', 'checksum', 'token', 'none']),
  key: z.nullable(z.string()),
  signedAt: z.nullable(z.iso.datetime()),
  stale: z.exactOptional(z.literal(true)),
})

const change: z.ZodMiniType<EventChange> = z.object({
  changeId: z.string().check(z.regex(/^\d{1,19}$/)),
  id: z.string(),
  source: z.string(),
  eventId: z.string(),
  eventType: z.string(),
  status: z.string(),
  receivedAt: z.string(),
  // One that another release wrote in a way of its own is left out.
  proof: z.catch(z.optional(proof), undefined),
})

const delivery: z.ZodMiniType<DeadDelivery> = z.object({
  kind: z.literal('delivery'),
  source: z.string(),
  eventId: z.string(),
  destination: z.string(),
  status: z.literal('DEAD'),
  answer: z.string(),
  at: z.string(),
})

const envelope = z.object({
  messageId: z.string(),
  destination: z.string(),
  user: z.exactOptional(z.string()),
  headers: z.record(z.string(), z.string()),
  body: z.base64(),
})

const notification = z.union([
  z.pipe(
    change,
    z.transform((change): Notification => ({ kind: 'change', change })),
  ),
  z.pipe(
    delivery,
    z.transform((delivery): Notification => ({ kind: 'death', delivery })),
  ),
  z.pipe(
    envelope,
    z.transform(({ messageId, body, ...topicAndHeaders }): Notification => {
      const message = { ...topicAndHeaders, body: Buffer.from(body, 'base64') }
      return { kind: 'message', id: messageId, message }
    }),
  ),
])

/** Characters that JSON leaves as they are and SQS does not take (SQS API reference, SendMessage). */
const REFUSED = /[\ufffe\uffff]/g

/** A message as it travels. */
export function envelopeOf(id: string, { body, ...topicAndHeaders }: BusMessage): string {
  const fields = { messageId: id, ...topicAndHeaders, body: Buffer.from(body).toString('base64') }
  return JSON.stringify(fields).replaceAll(REFUSED, (character) => `\\u${character.charCodeAt(0).toString(16)}`)
}

/** Undefined for what none of us has published. */
export function readNotification(text: string): Notification | undefined {
  return z.safeParse(notification, parsed(text)).data
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
