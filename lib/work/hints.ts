import * as z from 'zod/mini'
import type { Log } from '../runtime/log.ts'
import { finalRefusal } from '../runtime/message-text.ts'

/** Names a row whose work may be due. The row decides: a hint that is lost, late or repeated does no harm. */
export interface Hint extends RowName {
  /** The number of runs that the row had. */
  readonly n: number
  /** How often it was sent on because it came early. */
  readonly hops?: number | undefined
}

export interface RowName {
  readonly source: string
  readonly eventId: string
  readonly destination?: string
}

/** What the log says of the row of a hint: nothing of what that carries. */
export function named({ source, eventId, destination }: RowName): RowName {
  return { source, eventId, ...(destination !== undefined && { destination }) }
}

/** Wakes a worker at the right time. */
export interface HintQueue<H> {
  /** @throws ServiceError `UNAVAILABLE`, `MessageRefused` */
  send(hint: H, delayMs: number): Promise<void>
}

/**
 * The longest delay of a message, in milliseconds (SQS API reference, SendMessage: DelaySeconds goes from 0 to 900).
 * For a longer wait, a worker sends the hint on from hop to hop.
 */
export const LONGEST_DELAY = 900_000

/** Sends a hint; if that fails, the scan still finds the row. */
export function schedule<H extends Hint>(queue: HintQueue<H>, log: Log, hint: H, delayMs: number): Promise<void> {
  return scheduled(queue.send(hint, delayMs), log, named(hint))
}

/** @param row what the log says of it */
export async function scheduled(sending: Promise<void>, log: Log, row: object): Promise<void> {
  try {
    await sending
  } catch (cause) {
    log.warn('hint not sent, the scan will find the row', { ...row, cause })
  }
}

/** A function that feeds its own queue must end the chain itself; the scan finds the row when it is due. */
export async function sendOn<H extends Hint>(
  queue: HintQueue<H>,
  hint: H,
  delayMs: number,
  mostHops: number,
): Promise<'postponed' | 'stopped'> {
  const hops = (hint.hops ?? 0) + 1
  if (hops > mostHops) return 'stopped'
  const refusal = await finalRefusal(queue.send({ ...hint, hops }, delayMs))
  return refusal === undefined ? 'postponed' : 'stopped'
}

/** Handles a message of a queue. What is thrown keeps it there. @param name that of the queue */
export async function received<T>(name: string, log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    log.error(`a message stays on the ${name}`, { cause })
    throw cause
  }
}

/**
 * What a message of a queue says.
 * @throws Error with these words for one that breaks the schema; its text stays out of the error
 */
export function readQueued<S extends z.ZodMiniType>(schema: S, message: string, wrong: string): z.output<S> {
  const read = z.safeParse(schema, parsed(message))
  if (read.success) return read.data
  throw new Error(wrong)
}

function parsed(message: string): unknown {
  try {
    return JSON.parse(message)
  } catch {
    return undefined
  }
}
