import { type EffectRow, type EventRow, isFinal, type Stored } from './rows.ts'
import type { Trace } from './story.ts'
import type { Sent } from './traffic.ts'

/** Somebody who watched, and what was said of each event last. */
export interface Watcher {
  readonly name: string
  readonly statuses: ReadonlyMap<string, string>
}

/** What must not be, each as the names of what is wrong; all empty after a good run. */
export interface Verdict {
  /** Acknowledged and not stored. */
  readonly lost: readonly string[]
  /** Processed more than once, or stored though nobody sent it. */
  readonly doubled: readonly string[]
  /** An event whose row is not as its events say, or a row without an event. */
  readonly half: readonly string[]
  /** Neither processed nor dead. */
  readonly unfinished: readonly string[]
  /** Dead though it could be processed, or the other way round. */
  readonly misjudged: readonly string[]
  /** A history that no run of the protocol leaves behind. */
  readonly inconsistent: readonly string[]
  /** Not told to somebody who watched and resumed, or not as it is. */
  readonly unseen: readonly string[]
}

/** @param maxAttempts how many retries an event has */
export function judge(
  sent: readonly Sent[],
  stored: Stored,
  watchers: readonly Watcher[],
  maxAttempts: number,
): Verdict {
  const shots = new Map(sent.map((shot) => [keyOf(shot), shot]))
  const rows = new Map(stored.events.map((row) => [keyOf(row), row]))
  const keysOf = (events: readonly EventRow[]) => events.map(keyOf)
  const isDoomed = (row: EventRow) => shots.get(keyOf(row))?.isDoomed === true
  return {
    lost: sent.filter((shot) => shot.isAcknowledged && !rows.has(keyOf(shot))).map(keyOf),
    doubled: keysOf(stored.events.filter((row) => timesProcessed(row) > 1 || !shots.has(keyOf(row)))),
    half: [...strayRows(sent, rows, stored, 'payments'), ...strayRows(sent, rows, stored, 'orders')],
    unfinished: keysOf(stored.events.filter((row) => !isFinal(row))),
    misjudged: keysOf(stored.events.filter((row) => isFinal(row) && (row.status === 'FAILED') !== isDoomed(row))),
    inconsistent: keysOf(stored.events.filter((row) => isFinal(row) && !isConsistent(row, maxAttempts))),
    unseen: watchers.flatMap((watcher) => unseenBy(watcher, stored).map((row) => `${watcher.name} ${keyOf(row)}`)),
  }
}

/** The events that a watcher was not told of, or not as they are. */
export function unseenBy({ statuses }: Watcher, { events }: Stored): readonly EventRow[] {
  return events.filter(({ eventId, status }) => statuses.get(eventId) !== status)
}

export function isClean(verdict: Verdict): boolean {
  return Object.values(verdict).every((findings) => findings.length === 0)
}

function keyOf({ source, eventId }: Pick<EventRow, 'source' | 'eventId'>): string {
  return `${source}/${eventId}`
}

function timesProcessed({ history }: EventRow): number {
  return history.filter(({ status }) => status === 'PROCESSED').length
}

/** The rows of a table that differ from what the stored events leave behind: of each key the trace of highest rank. */
function strayRows(
  sent: readonly Sent[],
  rows: ReadonlyMap<string, EventRow>,
  stored: Stored,
  table: Trace['table'],
): readonly string[] {
  const expected = new Map<string, Trace>()
  for (const shot of sent) {
    const { trace } = shot
    if (trace?.table !== table || rows.get(keyOf(shot))?.status !== 'PROCESSED') continue
    if (trace.rank > (expected.get(trace.key)?.rank ?? 0)) expected.set(trace.key, trace)
  }
  const found = new Map(stored[table].map((row): [string, EffectRow] => [row.key, row]))
  const keys = new Set([...expected.keys(), ...found.keys()])
  return [...keys].filter((key) => expected.get(key)?.status !== found.get(key)?.status).map((key) => `${table} ${key}`)
}

/** It begins with the intake and ends as the row stands; what counts as an attempt is in it, nothing follows PROCESSED. */
function isConsistent({ status, attempts, dead, history }: EventRow, maxAttempts: number): boolean {
  const first = history.at(0)
  const last = history.at(-1)
  const processed = history.findIndex((entry) => entry.status === 'PROCESSED')
  const isOver = processed === -1 || processed === history.length - 1
  const claims = history.filter((entry) => entry.status === 'RETRY').length
  return (
    first?.by === 'intake' &&
    last?.status === status &&
    isOver &&
    attempts <= Math.min(claims, maxAttempts) &&
    dead === (status === 'FAILED') &&
    (!dead || attempts === maxAttempts)
  )
}
