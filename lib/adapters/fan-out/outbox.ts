import type { AsciiJson } from '../../runtime/message-text.ts'
import type { Timers } from '../../runtime/timers.ts'
import type { BusMessage } from '../../stomp/bus.ts'
import { pauseAfter } from './backoff.ts'
import { MAXIMUM_BYTES, messageText, textsOf } from './publication.ts'

export interface OutboxParts {
  readonly origin: string
  readonly timers: Timers
  readonly random: () => number
  /** Sends a text to SNS. @throws the error that stopped it */
  send(text: AsciiJson): Promise<void>
  /** Delivers a message to the clients of this instance. */
  deliver(message: BusMessage): void
}

interface Entry {
  readonly messages: readonly BusMessage[]
  readonly texts: readonly AsciiJson[]
  readonly bytes: number
  resolve(): void
  reject(cause: unknown): void
}

const TRIES = 3

/**
 * Sends messages to all instances in the order of their arrival, one publication at a time. A publication takes along
 * all messages that have arrived meanwhile. The clients of this instance get them once SNS has accepted them.
 */
export function createOutbox({ origin, timers, random, send, deliver }: OutboxParts) {
  const waiting: Entry[] = []
  let number = 0
  let after = 0
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    // Messages read from one connection in the same turn go into one publication.
    await Promise.resolve()
    while (waiting.length > 0) await sendOut(nextBatch())
    running = undefined
  }

  function nextBatch(): readonly Entry[] {
    let [count, bytes] = [0, 0]
    for (const entry of waiting) {
      bytes += entry.bytes
      if (count > 0 && bytes > MAXIMUM_BYTES) break
      count += 1
    }
    return waiting.splice(0, count)
  }

  async function sendOut(batch: readonly Entry[]): Promise<void> {
    number += 1
    const texts = textsOf(
      { origin, number, after },
      batch.flatMap((entry) => entry.texts),
    )
    try {
      for (const text of texts) await persist(() => send(text))
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

  /** Repeats a send that failed: a repeat has the same number, and counts once. */
  async function persist(attempt: () => Promise<void>): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      try {
        return await attempt()
      } catch (cause) {
        if (tried === TRIES) throw cause
        await new Promise<void>((resolve) => timers.after(pauseAfter(tried, random()), resolve))
      }
    }
  }

  return {
    /**
     * Settles once the messages are published to all instances.
     * @throws the error that stopped them, or the messages before them: then the caller may not count on any of them
     */
    publish(messages: readonly BusMessage[]): Promise<void> {
      const texts = messages.map(messageText)
      const bytes = texts.reduce((sum, text) => sum + text.length + 1, 0)
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
