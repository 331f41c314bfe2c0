import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import type { Clock } from '../runtime/clock.ts'
import type { Log } from '../runtime/log.ts'
import type { Cancel, Timers } from '../runtime/timers.ts'
import type { BusMessage } from './bus.ts'
import type { MessageRow, MessageStore } from './stored.ts'

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

/**
 * Delivers what other instances and functions have stored: each row once, and those of one writer in the order of their
 * numbers. It reads while somebody has joined, and makes no request otherwise.
 */
export function createTail({ origin: own, store, clock, timers, log, deliver }: TailParts) {
  /** The last delivered row of each writer. */
  const last = new Map<string, Pick<MessageRow, 'number' | 'at'>>()
  let joined = 0
  let reading: object | undefined
  let cancel: Cancel = () => {}
  let first: Promise<void> | undefined
  /** Nobody receives rows before it: they were stored before the first one joined. 0 once they are known. */
  let beginning = 0
  let readTo = 0
  let isBlind = false

  async function readOn(): Promise<void> {
    const now = clock.now().getTime()
    const from = Math.max(readTo - OVERLAP_MS, now - REACH_MS)
    const rows = await store.since(from, now + AHEAD_MS)
    for (const row of rows) if (row.origin !== own) hear(row, now)
    readTo = now
    beginning = 0
    for (const [name, { at }] of last) if (at < from - OVERLAP_MS) last.delete(name)
  }

  function hear(row: MessageRow, now: number): void {
    const { at, origin, number, content } = row
    if (!isNext(row, now)) return
    last.set(origin, { number, at })
    if (at < beginning) return
    const messages = messagesIn(content)
    if (!messages) log.warn('a stored message has no known form', { origin, number })
    for (const message of messages ?? []) deliver(message)
  }

  /** Whether it is new, and not one whose predecessor the next read may find. */
  function isNext({ at, origin, number, after }: MessageRow, now: number): boolean {
    const known = last.get(origin)?.number ?? after
    return number > known && (after <= known || now - at >= HOLD_MS)
  }

  async function read(): Promise<void> {
    try {
      await readOn()
      if (isBlind) log.info('messages can be read again')
      isBlind = false
    } catch (cause) {
      if (beginning === Number.POSITIVE_INFINITY) beginning = readTo
      if (!isBlind) log.warn('messages cannot be read', { cause })
      isBlind = true
    }
  }

  /** @param turn of those who joined first; when all have left, it ends */
  async function keepReading(turn: object): Promise<void> {
    while (turn === reading) {
      const work = read()
      first ??= work
      await work
      if (turn !== reading) return
      const { promise, resolve } = Promise.withResolvers<void>()
      cancel = timers.after(READ_EVERY_MS, resolve)
      await promise
    }
  }

  function begin(): void {
    last.clear()
    readTo = clock.now().getTime()
    beginning = Number.POSITIVE_INFINITY
    first = undefined
    reading = {}
    void keepReading(reading)
  }

  function leave(): void {
    joined -= 1
    if (joined > 0) return
    reading = undefined
    cancel()
  }

  return {
    join(): Cancel {
      joined += 1
      if (joined === 1) begin()
      let isLeft = false
      return () => {
        if (!isLeft) leave()
        isLeft = true
      }
    },
    ready: () => (beginning === 0 ? undefined : first),
  }
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
