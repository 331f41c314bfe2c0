import type { Broker } from './broker.ts'
import { sizeOf } from './limits.ts'
import type { Transport } from './transport.ts'

/** The bytes of one session that may wait for publication before the server stops reading from its client. */
const PAUSE_ABOVE = 2 ** 18
const RESUME_BELOW = 2 ** 16

/** Publishes for one session, and slows down a client that sends faster than its messages are published. */
export interface Flow extends Pick<Broker, 'publish'> {
  readonly isPaused: boolean
}

/** @param resumed called each time that reading resumes */
export function createFlow(broker: Pick<Broker, 'publish'>, transport: Transport, resumed: () => void): Flow {
  let waiting = 0
  let isPaused = false

  function left(bytes: number): void {
    waiting -= bytes
    if (!isPaused || waiting >= RESUME_BELOW) return
    isPaused = false
    transport.resume()
    resumed()
  }

  return {
    get isPaused() {
      return isPaused
    },
    publish(messages) {
      const bytes = messages.reduce(
        (sum, { headers, body }) => sum + sizeOf({ headers: Object.entries(headers), body }),
        0,
      )
      waiting += bytes
      if (!isPaused && waiting > PAUSE_ABOVE) {
        isPaused = true
        transport.pause()
      }
      return broker.publish(messages).finally(() => left(bytes))
    },
  }
}
