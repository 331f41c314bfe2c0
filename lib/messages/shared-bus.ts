import type { Timers } from '../runtime/async.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../runtime/time.ts'
import type { BusMessage, EventBus } from './bus.ts'
import { contentOf, type MessageStore, messageText } from './message-row.ts'
import { createOutbox } from './outbox.ts'
import { createTail } from './tail.ts'

export interface SharedBusParts {
  readonly store: MessageStore
  readonly ids: Ids
  readonly clock: Clock
  readonly timers: Timers
  readonly random: () => number
  readonly log: Log
}

/**
 * The bus of all instances, over a store that they share (docs/decisions/0010-fan-out.md).
 * @returns also `idle`, which settles when nothing waits to be stored
 */
export function createSharedBus(parts: SharedBusParts): EventBus & { idle(): Promise<void> } {
  const { ids, log } = parts
  const listeners = new Set<(message: BusMessage) => void>()

  /** A listener that throws affects neither the others nor the publisher. */
  function deliver(message: BusMessage): void {
    for (const listener of listeners) {
      Promise.try(listener, message).catch((cause) => log.error('a listener of messages failed', { cause }))
    }
  }

  const origin = ids.unique()
  const outbox = createOutbox({ ...parts, origin, deliver })
  const tail = createTail({ ...parts, origin, deliver })
  return {
    publish: outbox.publish,
    idle: outbox.idle,
    join: tail.join,
    ready: tail.ready,
    attach(listener) {
      // A function of its own, so that one listener twice is two.
      const own = (message: BusMessage) => listener(message)
      listeners.add(own)
      return () => listeners.delete(own)
    },
  }
}

/**
 * Stores a message of a function, which is a writer of its own.
 * @param id of the message: a repeat with the same one is delivered once
 */
export function storeMessage(
  store: Pick<MessageStore, 'put'>,
  clock: Clock,
  id: string,
  message: BusMessage,
): Promise<void> {
  const at = clock.now().getTime()
  return store.put({ at, origin: id, number: 1, after: 0, content: contentOf([messageText(message)]) })
}
