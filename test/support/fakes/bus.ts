import type { BusMessage, EventBus } from '../../../lib/messages/message.ts'

/** The bus of a single process: what was published has been delivered. */
export function inProcessBus(): EventBus {
  const listeners = new Set<(message: BusMessage) => void>()
  return {
    async publish(messages) {
      for (const message of messages) for (const listener of listeners) listener(message)
    },
    attach(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    join: () => () => {},
    ready: () => undefined,
  }
}
