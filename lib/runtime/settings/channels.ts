import { decimal, type Rule, text, whole, withDefault } from '../config.ts'

/** Where the channels listen that no function can hold open, and how long they take to go. */
export const channelSettings = {
  /** The address on which the container of the channels listens */
  CHANNELS_HOST: withDefault(text, '127.0.0.1'),
  /** Its port of gRPC */
  GRPC_PORT: withDefault(whole(0, 65_535), 5051),
  /** Its port of STOMP over WebSocket and of streams of events */
  WS_PORT: withDefault(whole(0, 65_535), 3001),
  /** After how many seconds a connection of gRPC takes no further call: [streams](reference/channels.md#channels-10) */
  GRPC_CONNECTION_AGE_SECONDS: withDefault(whole(10, 86_400), 1800),
  /** How many STOMP sessions and streams of events with a token may be open */
  STOMP_CONNECTIONS: withDefault(whole(1, 1_000_000), 10_000),
  /** How many of them for one account */
  STOMP_CONNECTIONS_PER_USER: withDefault(whole(1, 1_000_000), 100),
  /**
   * How many connections, and calls of gRPC, [without a token](reference/channels.md#anonymous-clients) may be open on each port
   */
  CHANNELS_ANONYMOUS: withDefault(whole(1, 1_000_000), 512),
  /** How many of them from one address */
  CHANNELS_ANONYMOUS_PER_ADDRESS: withDefault(whole(1, 1_000_000), 64),
  /** The shortest interval of STOMP heartbeats in both directions, in seconds; from 1 to 60 */
  STOMP_HEART_BEAT_SECONDS: withDefault(whole(1, 60), 10),
  /** The largest body of a STOMP frame, and of a message over HTTP, from 1 KiB to 180,000 bytes */
  STOMP_BODY_BYTES: withDefault(whole(1024, 180_000), 65_536),
  /** How many frames a STOMP session may send; from 1 to 10000 */
  STOMP_FRAMES_PER_SECOND: withDefault(whole(1, 10_000), 100),
  /** How many of them at once; from 1 to 10000 */
  STOMP_FRAME_BURST: withDefault(whole(1, 10_000), 1000),
  /** Seconds that the container gives calls to end before it stops */
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
