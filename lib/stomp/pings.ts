import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { Cancel, Timers } from '../runtime/timers.ts'

/** From one ping to the next, in milliseconds. */
const PING_EVERY_MS = 20_000

/**
 * Pings a WebSocket until it closes, and cuts it off when nothing came between two pings: neither an answer, which clients
 * give by themselves, nor anything else.
 * @param carrier the socket below it
 */
export function keepPinging(socket: WebSocket, carrier: Pick<Socket, 'bytesRead'>, timers: Timers): void {
  let heard: number | undefined
  let cancel = wait()

  function wait(): Cancel {
    return timers.after(PING_EVERY_MS, look)
  }

  function look(): void {
    if (carrier.bytesRead === heard) {
      socket.terminate()
    } else {
      heard = carrier.bytesRead
      socket.ping()
      cancel = wait()
    }
  }

  socket.once('close', () => cancel())
}
