import type { Cancel } from '../runtime/async.ts'

/** Where a message goes: to all who subscribed to a destination, or to those sessions of them that are one account's, by its id. */
export interface Topic {
  readonly destination: string
  readonly user?: string
}

export interface BusMessage extends Topic {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Carries each message to every process that has sessions, the sender's own included. */
export interface EventBus {
  /**
   * Publishes messages that belong together: everybody receives all of them, or none. The order of publication is the
   * order of delivery, everywhere. Settles once they are durable.
   * @throws ServiceError `PAYLOAD_TOO_LARGE`, or the error that stopped them
   */
  publish(messages: readonly BusMessage[]): Promise<void>
  attach(listener: (message: BusMessage) => void): Cancel
  /** Listeners receive what other processes publish while somebody has joined. */
  join(): Cancel
  /** Undefined once all that others publish from now on is received; else settles then, or when the store fails. */
  ready(): Promise<void> | undefined
}

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
