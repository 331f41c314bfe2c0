import { type Timers, withTimeout } from '../runtime/async.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../runtime/time.ts'
import type { Audit, AuditDecision, Names } from './audit.ts'

export type CallResult = 'accepted' | 'refused'

/** When the last calls of a source came, accurate to {@link NOTE_PAUSE_MS}. */
export interface LastCalls {
  readonly source: string
  readonly lastAcceptedAt: Date | undefined
  readonly lastRefusedAt: Date | undefined
}

/** One row for each source. All throw ServiceError `UNAVAILABLE`. */
export interface LastCallStore {
  /** @param signal ends the request */
  note(source: string, result: CallResult, at: Date, signal: AbortSignal): Promise<void>
  /** Of all sources, in any order. */
  all(): Promise<readonly LastCalls[]>
}

/** The pause of a process between two notes of one source and result, in milliseconds: each is a write that costs. */
export const NOTE_PAUSE_MS = 600_000

/** How long an answer waits for a note, in milliseconds. */
const PATIENCE_MS = 500

export interface CallNotesParts {
  readonly store: Pick<LastCallStore, 'note'>
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
}

export interface CallNotes {
  /** Starts to note a call, unless this process noted such a call in the last ten minutes. */
  note(source: string, result: CallResult): void
  /** Settles once all notes are written or given up; it never rejects. */
  written(): Promise<void>
}

/** A note that fails is dropped: the next one follows in ten minutes. */
export function createCallNotes({ store, clock, timers, log }: CallNotesParts): CallNotes {
  const notedAt = new Map<string, number>()
  const writing = new Set<Promise<void>>()

  async function write(source: string, result: CallResult, at: Date): Promise<void> {
    try {
      await withTimeout(timers, PATIENCE_MS, (signal) => store.note(source, result, at, signal))
    } catch (cause) {
      log.warn('source not noted', { source, cause })
    }
  }

  return {
    note(source, result) {
      const now = clock.now()
      const key = `${source} ${result}`
      const last = notedAt.get(key) ?? Number.NEGATIVE_INFINITY
      // A clock that was set back does not lengthen the pause.
      if (Math.abs(now.getTime() - last) < NOTE_PAUSE_MS) return
      notedAt.set(key, now.getTime())
      const work = write(source, result, now).finally(() => writing.delete(work))
      writing.add(work)
    },

    async written() {
      await Promise.all(writing)
    },
  }
}

const RESULTS: Readonly<Partial<Record<AuditDecision, CallResult>>> = {
  received: 'accepted',
  processed: 'accepted',
  duplicate: 'accepted',
  failed: 'accepted',
  dead: 'accepted',
  refused: 'refused',
}

/** Notes the sources of calls. @param sources those that are noted */
export function notingAudit(audit: Audit, notes: Pick<CallNotes, 'note'>, sources: Names): Audit {
  return {
    decided(decision, about) {
      audit.decided(decision, about)
      const { source } = about
      const result = RESULTS[decision]
      if (source !== undefined && result && sources.current.has(source)) notes.note(source, result)
    },
  }
}
