import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { withPatience } from '../../runtime/patience.ts'
import type { Timers } from '../../runtime/timers.ts'
import type { AuditReason } from '../audit.ts'
import type { RefusalSample, RefusalStore } from './refusal.ts'

interface RefusalGroup {
  /** A name with a secret, or the one that all others share. */
  readonly source: string
  readonly reason: AuditReason
}

export interface RefusalCounter {
  /**
   * Counts a refusal. A promise only where the count is written, with a sample of this call; it never rejects.
   * @param sampleOf called at most once
   */
  note(group: RefusalGroup, sampleOf: () => Promise<RefusalSample>): Promise<void> | undefined
}

export interface RefusalCounterParts {
  readonly store: RefusalStore
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
}

/** How long refusals of a group are only counted after a write, in milliseconds. */
const PAUSE_MS = 10_000

/** How long an answer waits for a write, in milliseconds. */
const PATIENCE_MS = 500

/** The refusals of a group that no write has told of. */
interface Tally {
  count: number
  firstAt: Date
  /** When the last write began, in milliseconds since the epoch. */
  writtenAt: number
}

/**
 * Writes the first refusal of a group at once, and then at most one count each ten seconds, when there is a refusal to
 * show for it: what an instance counted last may be lost with it. The count of a write that fails, or takes too long,
 * goes with the next one.
 */
export function createRefusalCounter({ store, clock, timers, log }: RefusalCounterParts): RefusalCounter {
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
      await withPatience(timers, PATIENCE_MS, async (signal) =>
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
      if (isPausing(tally, now.getTime())) return undefined
      tally.writtenAt = now.getTime()
      return write(group, tally, now, sampleOf)
    },
  }
}

/** A clock that was set back makes no pause longer. */
function isPausing({ writtenAt }: Tally, now: number): boolean {
  return Math.abs(now - writtenAt) < PAUSE_MS
}
