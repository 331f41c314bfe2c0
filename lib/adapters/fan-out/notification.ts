import * as z from 'zod/mini'
import type { ServiceMessage } from '../../messages/send.ts'
import type { Announcement } from '../../webhooks/live/announcement.ts'
import { broadcast } from './broadcast.ts'
import { type Arrived, arrived } from './publication.ts'

/** What comes out of an instance's queue. */
export type Notification =
  | { readonly kind: 'announcement'; readonly announcement: Announcement }
  | { readonly kind: 'messages'; readonly arrived: Arrived }
  | { readonly kind: 'broadcast'; readonly message: ServiceMessage }

const retryFinished = z.object({
  type: z.literal('retry-finished'),
  source: z.string(),
  eventId: z.string(),
  status: z.enum(['PROCESSED', 'FAILED']),
  at: z.string(),
})

const replayFinished = z.object({
  type: z.literal('replay-finished'),
  replayId: z.string(),
  state: z.literal('DONE'),
  matched: z.int(),
  done: z.int(),
  failed: z.int(),
  at: z.string(),
})

const announcement: z.ZodMiniType<Announcement> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('delivery'),
    source: z.string(),
    eventId: z.string(),
    destination: z.string(),
    status: z.literal('DEAD'),
    answer: z.string(),
    at: z.string(),
  }),
  z.object({
    kind: z.literal('order'),
    orderedBy: z.string(),
    notice: z.discriminatedUnion('type', [retryFinished, replayFinished]),
  }),
])

const notification = z.union([
  z.pipe(
    announcement,
    z.transform((announcement): Notification => ({ kind: 'announcement', announcement })),
  ),
  z.pipe(
    arrived,
    z.transform((arrived): Notification => ({ kind: 'messages', arrived })),
  ),
  z.pipe(
    broadcast,
    z.transform((message): Notification => ({ kind: 'broadcast', message })),
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
