import { isUtf8 } from 'node:buffer'
import { WebSocket } from 'ws'
import type { Timers } from '../runtime/timers.ts'
import { CLOSE_TIMEOUT, type Transport } from './transport.ts'

/** Sends what is UTF-8 as text, for the clients that want it so, and the rest as binary. */
export function webSocketTransport(socket: WebSocket, timers: Timers): Transport {
  return {
    send(bytes) {
      if (socket.readyState === WebSocket.OPEN) socket.send(bytes, { binary: !isUtf8(bytes) })
    },
    close(code, reason) {
      socket.close(code, reason)
      const cancel = timers.after(CLOSE_TIMEOUT, () => socket.terminate())
      socket.once('close', cancel)
    },
    terminate: () => socket.terminate(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    buffered: () => socket.bufferedAmount,
  }
}
