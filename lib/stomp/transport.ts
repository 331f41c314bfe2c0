import type { Timers } from '../runtime/async.ts'

/** What carries the bytes of one session: a WebSocket, or a socket. */
export interface Transport {
  /** @param bytes one frame, or a heart-beat */
  send(bytes: Uint8Array): void
  /** @param code of RFC 6455 section 7.4 */
  close(code: number, reason: string): void
  /** Destroys the connection, with everything that is still under way. */
  terminate(): void
  /** Reads nothing from the other side until it is resumed, so that side must wait. */
  pause(): void
  resume(): void
  /** Bytes that the other side has not taken yet. */
  buffered(): number
}

/** How long a client has to answer a close, in milliseconds. */
export const CLOSE_TIMEOUT = 2000

/** So much may be under way while more is fetched. */
const UNDER_WAY_BYTES = 2 ** 16

const LOOK_AGAIN_MS = 20

/** Settles when the other side has taken most of what was sent, or the signal aborts. */
export async function taken(transport: Transport, timers: Timers, signal: AbortSignal): Promise<void> {
  while (transport.buffered() > UNDER_WAY_BYTES && !signal.aborted) {
    await new Promise<void>((resolve) => timers.after(LOOK_AGAIN_MS, resolve))
  }
}
