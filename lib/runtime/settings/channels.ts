import type { Rule } from '../config.ts'
import { decimal, text, whole, withDefault } from './values.ts'

/** Where the channels listen that no function can hold open, and how long they take to go. */
export const channelSettings = {
  CHANNELS_HOST: withDefault(text, '127.0.0.1'),
  GRPC_PORT: withDefault(whole(0, 65_535), 5051),
  WS_PORT: withDefault(whole(0, 65_535), 3001),
  GRPC_CONNECTION_AGE_SECONDS: withDefault(whole(10, 86_400), 1800),
  STOMP_CONNECTIONS: withDefault(whole(1, 1_000_000), 10_000),
  STOMP_CONNECTIONS_PER_USER: withDefault(whole(1, 1_000_000), 100),
  /** Connections, and calls of gRPC, that no token was seen of: on each port. */
  CHANNELS_ANONYMOUS: withDefault(whole(1, 1_000_000), 512),
  CHANNELS_ANONYMOUS_PER_ADDRESS: withDefault(whole(1, 1_000_000), 64),
  STOMP_HEART_BEAT_SECONDS: withDefault(whole(1, 60), 10),
  STOMP_BODY_BYTES: withDefault(whole(1024, 180_000), 65_536),
  STOMP_FRAMES_PER_SECOND: withDefault(whole(1, 10_000), 100),
  STOMP_FRAME_BURST: withDefault(whole(1, 10_000), 1000),
  DRAIN_SECONDS: withDefault(decimal(0, 3600), 10),
}

interface FrameRate {
  readonly STOMP_FRAMES_PER_SECOND: number
  readonly STOMP_FRAME_BURST: number
}

export const channelRules: readonly Rule<FrameRate>[] = [
  {
    settings: ['STOMP_FRAMES_PER_SECOND', 'STOMP_FRAME_BURST'],
    broken: ({ STOMP_FRAMES_PER_SECOND, STOMP_FRAME_BURST }) =>
      STOMP_FRAME_BURST < STOMP_FRAMES_PER_SECOND
        ? 'STOMP_FRAME_BURST: must be at least STOMP_FRAMES_PER_SECOND'
        : undefined,
  },
]
