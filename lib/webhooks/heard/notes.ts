import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { withPatience } from '../../runtime/patience.ts'
import type { Timers } from '../../runtime/timers.ts'
import type { Audit, AuditDecision } from '../audit.ts'
import type { Names } from '../metrics.ts'
import type { HeardStore } from './heard.ts'

export interface HeardNotesParts {
  readonly store: HeardStore
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
}

export interface HeardNotes {
  /** Starts to note that a call of the source was accepted, unless this instance did so in the last ten minutes. */
  taken(source: string): void
  /** Settles once all notes are written, or given up; it never rejects. */
  written(): Promise<void>
}

/**
 * The pause of an instance between two notes of a source, in milliseconds: each note is a write that operators pay for.
 */
const PAUSE_MS = 600_000

/** How long an answer waits for a note, in milliseconds. */
const PATIENCE_MS = 500

/** Notes which sources send, in few writes. A note that fails is dropped: the next one follows in ten minutes. */
export function createHeardNotes({ store, clock, timers, log }: HeardNotesParts): HeardNotes {
  const notedAt = new Map<string, number>()
  const writing = new Set<Promise<void>>()

  async function write(source: string, at: Date): Promise<void> {
    try {
      await withPatience(timers, PATIENCE_MS, (signal) => store.note(source, at, signal))
    } catch (cause) {
      log.warn('source not noted', { source, cause })
    }
  }

  return {
    taken(source) {
      const now = clock.now()
      const last = notedAt.get(source) ?? Number.NEGATIVE_INFINITY
      // A clock that was set back does not lengthen the pause.
      if (Math.abs(now.getTime() - last) < PAUSE_MS) return
      notedAt.set(source, now.getTime())
      const work = write(source, now).finally(() => writing.delete(work))
      writing.add(work)
    },

    async written() {
      await Promise.all(writing)
    },
  }
}

/** The decisions of the intake on calls that were proven. */
const TAKEN: ReadonlySet<AuditDecision> = new Set(['received', 'processed', 'duplicate', 'failed', 'dead'])

/** Notes the sources of accepted calls. @param sources the names that are noted: callers cannot make them up */
export function hearingAudit(audit: Audit, notes: Pick<HeardNotes, 'taken'>, sources: Names): Audit {
  return {
    decided(decision, about) {
      audit.decided(decision, about)
      const { source } = about
      if (source !== undefined && TAKEN.has(decision) && sources.has(source)) notes.taken(source)
    },
  }
}
