import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { RetryHint } from './event.ts'
import type { RetryPolicy } from './policy.ts'
import type { RetryQueue } from './schedule.ts'

/** The rows that wait for a run, by the time at which the sweep should look at them. */
export interface DueEvents {
  /** Pages of hints for what should have been looked at by then; they may be a moment behind the table. */
  dueBy(now: Date): AsyncIterable<readonly RetryHint[]>
  /** Moves a row's sweep time, so that the next sweep leaves its hint the time to arrive. */
  postponeSweep(hint: RetryHint, until: Date): Promise<void>
}

export interface SweepParts {
  readonly due: DueEvents
  readonly queue: RetryQueue
  readonly policy: RetryPolicy
  readonly clock: Clock
  readonly log: Log
}

/**
 * Sends a hint for each event that is due and for each run whose lease is over; it decides nothing itself, so a lost
 * or doubled message does no harm.
 * @returns how many hints were sent before `deadline`
 */
export async function sweep({ due, queue, policy, clock, log }: SweepParts, deadline: Date): Promise<number> {
  let sent = 0
  for await (const hints of due.dueBy(clock.now())) {
    await Promise.all(
      hints.map(async (hint) => {
        await queue.send(hint, 0)
        await due.postponeSweep(hint, new Date(clock.now().getTime() + policy.scanInterval))
      }),
    )
    sent += hints.length
    if (clock.now() >= deadline) break
  }
  log.info('retry scan', { sent })
  return sent
}
