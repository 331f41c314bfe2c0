import { unavailable } from '../errors.ts'
import type { BusMessage } from '../messages/message.ts'
import { SlowClient } from '../runtime/limits.ts'
import { type Budget, sizeOf } from './limits.ts'

export const ACK_MODES = ['auto', 'client', 'client-individual'] as const

export type AckMode = (typeof ACK_MODES)[number]

export function isAckMode(text: string): text is AckMode {
  return ACK_MODES.some((mode) => mode === text)
}

interface WindowParts {
  readonly mode: AckMode
  /** How many messages may be out without an answer. */
  readonly size: number
  readonly budget: Budget
  deliver(message: BusMessage, number: number): void
}

/** Which of the outstanding messages an answer to one of them acknowledges (STOMP 1.2, "SUBSCRIBE ack Header"). */
const ACKNOWLEDGED: Readonly<Record<AckMode, (outstanding: number, answered: number) => boolean>> = {
  auto: () => false,
  client: (outstanding, answered) => outstanding <= answered,
  'client-individual': (outstanding, answered) => outstanding === answered,
}

/** The messages of one subscription, in order: those that are out without an answer, and those that wait for room. */
export class AckWindow {
  readonly #parts: WindowParts
  readonly #outstanding = new Set<number>()
  #waiting: BusMessage[] = []
  #last = 0
  #room: PromiseWithResolvers<void> | undefined

  constructor(parts: WindowParts) {
    this.#parts = parts
  }

  /** @throws ServiceError `UNAVAILABLE` when it can neither go out nor wait */
  offer(message: BusMessage): void {
    if (this.#hasRoom()) this.#deliver(message)
    else this.#keep(message)
  }

  /** Settles when a message can go out at once. */
  async room(): Promise<void> {
    if (this.#hasRoom()) return
    this.#room ??= Promise.withResolvers<void>()
    await this.#room.promise
  }

  isOutstanding(number: number): boolean {
    return this.#outstanding.has(number)
  }

  /** ACK and NACK are one here: a topic does not deliver again. */
  acknowledge(answered: number): void {
    const isAcknowledged = ACKNOWLEDGED[this.#parts.mode]
    for (const number of this.#outstanding) if (isAcknowledged(number, answered)) this.#outstanding.delete(number)
    for (const next of this.#waiting.splice(0, this.#parts.size - this.#outstanding.size)) {
      this.#release(next)
      this.#deliver(next)
    }
    if (this.#hasRoom()) this.#wake()
  }

  close(): void {
    for (const message of this.#waiting) this.#release(message)
    this.#waiting = []
    this.#outstanding.clear()
    this.#wake()
  }

  #wake(): void {
    this.#room?.resolve()
    this.#room = undefined
  }

  #keep(message: BusMessage): void {
    if (!this.#parts.budget.take(bytesOf(message)))
      throw unavailable(new SlowClient('the client acknowledges too slowly'))
    this.#waiting.push(message)
  }

  #release(message: BusMessage): void {
    this.#parts.budget.give(bytesOf(message))
  }

  #hasRoom(): boolean {
    return this.#outstanding.size < this.#parts.size
  }

  #deliver(message: BusMessage): void {
    this.#last += 1
    if (this.#parts.mode !== 'auto') this.#outstanding.add(this.#last)
    this.#parts.deliver(message, this.#last)
  }
}

function bytesOf({ headers, body }: BusMessage): number {
  return sizeOf({ headers: Object.entries(headers), body })
}
