import type { Socket } from 'node:net'
import type { Timers } from '../runtime/timers.ts'
import { CLOSE_TIMEOUT, type Transport } from './transport.ts'

/** Closes without a code, which TCP has no place for: what was wrong is in the ERROR frame, and that goes out first. */
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
