import type { Clock } from '../../runtime/clock.ts'
import type { Log } from '../../runtime/log.ts'
import { withPatience } from '../../runtime/patience.ts'
import type { Timers } from '../../runtime/timers.ts'
import type { AuditReason } from '../audit.ts'
import type { RefusalSample, RefusalStore } from './refusal.ts'

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
      // A clock that was set back does not lengthen the pause.
      if (Math.abs(now.getTime() - tally.writtenAt) < pauseMs) return undefined
      tally.writtenAt = now.getTime()
      return write(group, tally, now, sampleOf)
    },
  }
}
