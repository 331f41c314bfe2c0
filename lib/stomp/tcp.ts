import type { Socket } from 'node:net'
import type { Timers } from '../runtime/timers.ts'
import { CLOSE_TIMEOUT, type Transport } from './transport.ts'

/** Closes without a code, because TCP has none: the ERROR frame before it contains the reason. */
export function tcpTransport(socket: Socket, timers: Timers): Transport {
  return {
    send(bytes) {
      if (socket.writable) socket.write(bytes)
    },
    close() {
      socket.end()
      const cancel = timers.after(CLOSE_TIMEOUT, () => socket.destroy())
      socket.once('close', cancel)
    },
    terminate: () => socket.destroy(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    buffered: () => socket.writableLength,
  }
}
