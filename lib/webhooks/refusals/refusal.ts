import { isLoopbackName } from '../../runtime/local-host.ts'
import type { AuditReason } from '../audit.ts'

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
export function utcDayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** Whether each refusal is written at once: on a laptop that nobody else reaches, also not through a tunnel. */
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
