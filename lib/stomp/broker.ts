import type { BusMessage, EventBus, Topic } from '../messages/message.ts'
import type { Cancel, Timers } from '../runtime/async.ts'
import { sizeOf } from './limits.ts'

/** Must not throw. */
export type Deliver = (message: BusMessage) => void

export interface Broker {
  publish: EventBus['publish']
  subscribe(topic: Topic, deliver: Deliver): Cancel
  /** As the bus: undefined once subscribers receive all that is published from now on. */
  ready: EventBus['ready']
  /** Unsubscribes from the bus. */
  close(): void
}

/** Delivers messages from the bus to the sessions of this process. */
export function createBroker(bus: EventBus): Broker {
  const subscribers = new Map<string, Set<Deliver>>()

  const detach = bus.attach((message) => {
    for (const deliver of subscribers.get(keyOf(message)) ?? []) deliver(message)
  })

  return {
    publish: (messages) => bus.publish(messages),
    subscribe(topic, deliver) {
      const key = keyOf(topic)
      // A function of its own, so that two equal subscriptions are two.
      const own: Deliver = (message) => deliver(message)
      subscribers.set(key, (subscribers.get(key) ?? new Set()).add(own))
      const leave = bus.join()
      return () => {
        leave()
        const rest = subscribers.get(key)
        rest?.delete(own)
        if (rest?.size === 0) subscribers.delete(key)
      }
    },
    ready: () => bus.ready(),
    close: detach,
  }
}

/** No destination holds a line break. */
function keyOf({ destination, user }: Topic): string {
  return user === undefined ? destination : `${destination}\n${user}`
}

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
export async function drained(transport: Transport, timers: Timers, signal: AbortSignal): Promise<void> {
  while (transport.buffered() > UNDER_WAY_BYTES && !signal.aborted) {
    await new Promise<void>((resolve) => timers.after(LOOK_AGAIN_MS, resolve))
  }
}

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
