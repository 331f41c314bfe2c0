import * as z from 'zod/mini'
import { decimal, whole } from './values.ts'

/** Where the channels listen that no function can hold open, and how long they take to go. */
export const channelSettings = {
  CHANNELS_HOST: z._default(z.string(), '127.0.0.1'),
  GRPC_PORT: z._default(whole(0, 65_535), 5051),
  WS_PORT: z._default(whole(0, 65_535), 3001),
  /** Unset: STOMP comes over WebSocket alone. */
  STOMP_TCP_PORT: z.optional(whole(0, 65_535)),
  STOMP_CONNECTIONS: z._default(whole(1, 1_000_000), 10_000),
  STOMP_CONNECTIONS_PER_USER: z._default(whole(1, 1_000_000), 100),
  DRAIN_SECONDS: z._default(decimal(0, 3600), 10),
}
