import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { createReading, type Timers } from '../runtime/async.ts'
import { createRecent } from '../runtime/cache.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../runtime/time.ts'
import type { BusMessage, MessageRow, MessageStore } from './message.ts'

export interface TailParts {
  /** The writer of this instance, whose rows it has already delivered. */
  readonly origin: string
  readonly store: Pick<MessageStore, 'since'>
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  deliver(message: BusMessage): void
}

const READ_EVERY_MS = 500

/** How much of the last read the next one repeats: two clocks may differ, and a put may take a while. */
const OVERLAP_MS = 5000

/** How far back the first read after an outage reaches. */
const REACH_MS = 5 * 60_000

/** How much the clock of a writer may be ahead. */
const AHEAD_MS = 1000

/** How long a row waits for one before it of the same writer. */
const HOLD_MS = 2000

/** How many writers are remembered; each message of a function has one of its own. */
const WRITERS = 5000

/**
 * Delivers what other instances and functions have stored: each row once, and those of one writer in the order of their
 * numbers. It reads while a listener has joined, and makes no request otherwise.
 */
export function createTail({ origin: own, store, clock, timers, log, deliver }: TailParts) {
  /** The number of the last delivered row of each writer. */
  let last = createRecent<number>(WRITERS)
  /** Nobody receives rows before it: they were stored before the first one joined. 0 once they are known. */
  let beginning = 0
  let readTo = 0
  let isBlind = false

  function begin(): void {
    last = createRecent(WRITERS)
    readTo = clock.now().getTime()
    beginning = Number.POSITIVE_INFINITY
  }

  async function readOn(isOver: () => boolean): Promise<void> {
    const now = clock.now().getTime()
    // A clock that was ahead has read to a time that is still to come.
    const from = Math.max(Math.min(readTo, now) - OVERLAP_MS, now - REACH_MS)
    const rows = await store.since(from, now + AHEAD_MS, own)
    if (isOver()) return
    for (const row of rows) receive(row, now)
    readTo = now
    beginning = 0
  }

  function receive(row: MessageRow, now: number): void {
    const { at, origin, number, content } = row
    if (!isNext(row, now)) return
    last.set(origin, number)
    if (at < beginning) return
    const messages = messagesIn(content)
    if (!messages) log.warn('a stored message has no known form', { origin, number })
    for (const message of messages ?? []) deliver(message)
  }

  /** Whether it is new, and not one whose predecessor the next read may find. */
  function isNext({ at, origin, number, after }: MessageRow, now: number): boolean {
    const known = last.get(origin) ?? after
    return number > known && (after <= known || now - at >= HOLD_MS)
  }

  async function read(_: number, isOver: () => boolean): Promise<void> {
    try {
      await readOn(isOver)
      if (isBlind) log.info('messages can be read again')
      isBlind = false
    } catch (cause) {
      if (beginning === Number.POSITIVE_INFINITY) beginning = readTo
      if (!isBlind) log.warn('messages cannot be read', { cause })
      isBlind = true
    }
  }

  const { join, first } = createReading({ timers, pause: READ_EVERY_MS, begin, read })
  return { join, ready: () => (beginning === 0 ? undefined : first()) }
}

const message: z.ZodMiniType<BusMessage> = z.pipe(
  z.object({
    destination: z.string(),
    user: z.exactOptional(z.string()),
    headers: z.record(z.string(), z.string()),
    text: z.exactOptional(z.string()),
    base64: z.exactOptional(z.base64()),
  }),
  z.transform(({ text, base64, ...rest }) => ({
    ...rest,
    body: text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text),
  })),
)

const messages: z.ZodMiniType<readonly BusMessage[]> = z.array(message)

/** Undefined for what none of us has written. */
export function messagesIn(content: string): readonly BusMessage[] | undefined {
  try {
    return z.safeParse(messages, JSON.parse(content)).data
  } catch {
    return undefined
  }
}
