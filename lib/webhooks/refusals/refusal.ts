import { type ErrorCode, ServiceError } from '../../errors.ts'
import { isLoopbackName } from '../../runtime/address.ts'
import { type Timers, withTimeout } from '../../runtime/async.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/time.ts'
import type { AuditReason } from '../audit.ts'
import type { EventSource } from '../source.ts'

/** Why a call was refused: a word of a closed set and a sentence; neither holds a secret, a signature or a body. */
export interface RefusalVerdict {
  readonly reason: string
  readonly sentence: string
}

/** What is kept of a refused call; never its body, its query, a credential or a signature. */
export interface RefusalSample {
  readonly verdict: RefusalVerdict
  /** Of the client. */
  readonly address: string
  /** Of the body, in bytes. */
  readonly size: number
  /** Every header by its name; null for a value that is not kept. */
  readonly headers: Readonly<Record<string, string | null>>
}

/** Equal refusals: how many at least, and the last one. */
export interface CountedRefusals extends RefusalSample {
  readonly source: string
  readonly reason: AuditReason
  readonly count: number
  readonly firstAt: Date
  readonly lastAt: Date
}

/** The source of all calls to names without a secret, because callers make such names up. No path can contain it. */
export const UNKNOWN_SOURCE = '(unknown)'

/** How long a row is kept after its last refusal, in milliseconds. */
export const KEPT_MS = 7 * 24 * 60 * 60 * 1000

/** Hours of the day after which equal refusals begin a new row. */
const HOURS = 6

interface RefusalKey {
  /** Of UTC, `YYYY-MM-DD`. */
  readonly day: string
  /** The hour with which the part of the day begins, the source, the reason, and the word of the verdict. */
  readonly cause: string
}

/** The row on which all instances count the refusals that are equal. */
export function refusalKeyOf({ source, reason, verdict, lastAt }: CountedRefusals): RefusalKey {
  const hour = lastAt.getUTCHours()
  const part = String(hour - (hour % HOURS)).padStart(2, '0')
  return { day: utcDayOf(lastAt), cause: [part, source, reason, verdict.reason].join('#') }
}

/** Of UTC, `YYYY-MM-DD`. */
function utcDayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** Whether each refusal is written at once: in a local run that no other machine reaches, also not through a tunnel. */
export function isEachWritten({ STAGE, BASE_URL }: { readonly STAGE: string; readonly BASE_URL: URL }): boolean {
  return STAGE === 'local' && isLoopbackName(BASE_URL.hostname)
}

/** Takes the refusals of all instances. */
export interface RefusalStore {
  /**
   * Adds to the row of equal refusals, whose last one this is.
   * @param signal ends the request
   * @throws ServiceError `UNAVAILABLE`
   */
  add(refusals: CountedRefusals, signal: AbortSignal): Promise<void>
}

/** Whose call it is, and how that source proves its calls. */
export type Sender = Pick<EventSource, 'name' | 'scheme' | 'lateSeconds' | 'keptHeaders'>

/** The refusal of a call by the intake: for the caller the error itself, for operators also the sender and the cause. */
export class WebhookRefused<C extends ErrorCode = ErrorCode> extends ServiceError<C> {
  readonly sender: Sender
  readonly reason: AuditReason

  constructor({ code, details, cause }: ServiceError<C>, sender: Sender, reason: AuditReason) {
    super(code, details, { cause })
    this.sender = sender
    this.reason = reason
  }
}

interface RefusalGroup {
  /** A name with a secret, or the one that all other names share. */
  readonly source: string
  readonly reason: AuditReason
}

export interface RefusalCounter {
  /**
   * Counts a refusal. It returns a promise only if it writes the count, with a sample of this call; the promise never
   * rejects.
   * @param sampleOf called at most once
   */
  note(group: RefusalGroup, sampleOf: () => Promise<RefusalSample>): Promise<void> | undefined
}

export interface RefusalCounterParts {
  readonly store: RefusalStore
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
  /** The pause after a write of a group, in which its refusals are only counted, in milliseconds; 0 writes each. */
  readonly pauseMs?: number
}

const PAUSE_MS = 10_000

/** How long an answer waits for a write, in milliseconds. */
const PATIENCE_MS = 500

/** The refusals of a group that no write has stored yet. */
interface Tally {
  count: number
  firstAt: Date
  /** When the last write began, in milliseconds since the epoch. */
  writtenAt: number
}

/**
 * Writes the first refusal of a group at once, and after that at most one count each ten seconds, together with a
 * further refusal, unless its pause is another. So an instance that ends may lose its last count. If a write fails or takes too long, its count is
 * added to the next one.
 */
export function createRefusalCounter({
  store,
  clock,
  timers,
  log,
  pauseMs = PAUSE_MS,
}: RefusalCounterParts): RefusalCounter {
  const tallies = new Map<string, Tally>()

  function tallyOf({ source, reason }: RefusalGroup): Tally {
    const name = `${source}#${reason}`
    const tally = tallies.get(name) ?? { count: 0, firstAt: clock.now(), writtenAt: Number.NEGATIVE_INFINITY }
    tallies.set(name, tally)
    return tally
  }

  async function write(group: RefusalGroup, tally: Tally, lastAt: Date, sampleOf: () => Promise<RefusalSample>) {
    const { count, firstAt } = tally
    tally.count = 0
    try {
      await withTimeout(timers, PATIENCE_MS, async (signal) =>
        store.add({ ...group, ...(await sampleOf()), count, firstAt, lastAt }, signal),
      )
    } catch (cause) {
      tally.count += count
      tally.firstAt = firstAt
      log.warn('refusals not kept', { ...group, count, cause })
    }
  }

  return {
    note(group, sampleOf) {
      const now = clock.now()
      const tally = tallyOf(group)
      if (tally.count === 0) tally.firstAt = now
      tally.count += 1
      // A clock that was set back does not lengthen the pause.
      if (Math.abs(now.getTime() - tally.writtenAt) < pauseMs) return undefined
      tally.writtenAt = now.getTime()
      return write(group, tally, now, sampleOf)
    },
  }
}
