import { Buffer } from 'node:buffer'
import { fail } from '../errors.ts'
import type { Timers } from '../runtime/async.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../runtime/time.ts'
import { type BusMessage, contentOf, type EventBus, MAXIMUM_BYTES, type MessageStore, messageText } from './message.ts'
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

export interface OutboxParts {
  readonly origin: string
  readonly store: Pick<MessageStore, 'put'>
  readonly clock: Clock
  readonly timers: Timers
  readonly random: () => number
  /** Delivers a message to the clients of this instance. */
  deliver(message: BusMessage): void
}

interface Entry {
  readonly messages: readonly BusMessage[]
  readonly texts: readonly string[]
  readonly bytes: number
  resolve(): void
  reject(cause: unknown): void
}

const TRIES = 3

/** The longest pause before the second try, in milliseconds; twice as long before the third. */
const PAUSE_MS = 200

/**
 * Stores messages in the order of their arrival, one row at a time. A row takes along all messages that have arrived
 * meanwhile. The clients of this instance get them once the row is stored.
 */
export function createOutbox({ origin, store, clock, timers, random, deliver }: OutboxParts) {
  const waiting: Entry[] = []
  let [number, after, lastAt] = [0, 0, 0]
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    // Messages read from one connection in the same turn go into one row.
    await Promise.resolve()
    while (waiting.length > 0) await sendOut(nextBatch())
    running = undefined
  }

  function nextBatch(): readonly Entry[] {
    let [count, bytes] = [0, 1]
    for (const entry of waiting) {
      bytes += entry.bytes
      if (count > 0 && bytes > MAXIMUM_BYTES) break
      count += 1
    }
    return waiting.splice(0, count)
  }

  async function sendOut(batch: readonly Entry[]): Promise<void> {
    number += 1
    try {
      await persist(contentOf(batch.flatMap(({ texts }) => texts)))
      after = number
      for (const entry of batch) arrive(entry)
    } catch (cause) {
      for (const { reject } of [...batch, ...waiting.splice(0)]) reject(cause)
    }
  }

  function arrive({ messages, resolve }: Entry): void {
    for (const message of messages) deliver(message)
    resolve()
  }

  /** Stores a row, again with the same number when that failed: readers drop the repeat. */
  async function persist(content: string): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      // Readers look back for some seconds only, and a clock may go back.
      lastAt = Math.max(lastAt, clock.now().getTime())
      try {
        return await store.put({ at: lastAt, origin, number, after, content })
      } catch (cause) {
        if (tried === TRIES) throw cause
        await new Promise<void>((resolve) => timers.after(PAUSE_MS * tried * random(), resolve))
      }
    }
  }

  return {
    /**
     * Settles once the messages are stored.
     * @throws ServiceError `PAYLOAD_TOO_LARGE` for more than fits into a row, or the error that stopped these messages or those before
     *   them: then the caller may not count on any of them
     */
    async publish(messages: readonly BusMessage[]): Promise<void> {
      const texts = messages.map(messageText)
      const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0)
      if (bytes >= MAXIMUM_BYTES) throw fail('PAYLOAD_TOO_LARGE')
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ messages, texts, bytes, resolve, reject })
      running ??= run()
      return promise
    },
    /** Settles when nothing waits. */
    async idle(): Promise<void> {
      await running
    },
  }
}
