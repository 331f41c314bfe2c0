import * as z from 'zod/mini'
import type { ServiceMessage } from '../../messages/send.ts'
import type { EventChange } from '../../webhooks/live/change-feed.ts'
import type { DeadDelivery } from '../../webhooks/live/dead-delivery.ts'
import { announced } from './announcement.ts'
import { type Arrived, arrived } from './publication.ts'

/** What comes out of an instance's queue. */
export type Notification =
  | { readonly kind: 'change'; readonly change: EventChange }
  | { readonly kind: 'death'; readonly delivery: DeadDelivery }
  | { readonly kind: 'messages'; readonly arrived: Arrived }
  | { readonly kind: 'announcement'; readonly message: ServiceMessage }

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
    arrived,
    z.transform((arrived): Notification => ({ kind: 'messages', arrived })),
  ),
  z.pipe(
    announced,
    z.transform((message): Notification => ({ kind: 'announcement', message })),
  ),
])

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
