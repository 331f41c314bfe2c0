import type { Clock } from '../../runtime/clock.ts'
import { ended } from '../../runtime/ended.ts'
import type { Log } from '../../runtime/log.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import type { RetryHint } from '../event.ts'
import type { RetryPolicy } from './policy.ts'
import type { RetryQueue } from './queue.ts'

/** A row that waits for a run. */
export interface DueEvent {
  readonly hint: RetryHint
  /** Since when it could have been run. */
  readonly since: Date
}

/** The rows that wait for a run, by the time at which the scan should look at them. */
export interface DueEvents {
  /** Pages of what should have been looked at by then; they may be a moment behind the table. */
  dueBy(now: Date): AsyncIterable<readonly DueEvent[]>
  /** Moves the time of a row's next scan, and nothing else, so that the scan leaves its hint the time to arrive. */
  postponeScan(hint: RetryHint, until: Date): Promise<void>
}

export interface ScanParts {
  readonly due: DueEvents
  readonly queue: RetryQueue
  readonly policy: RetryPolicy
  readonly clock: Clock
  readonly metrics: Metrics
  readonly log: Log
}

/** What one scan did. */
export interface ScanResult {
  /** How many hints were sent. */
  readonly sent: number
  /** How long the oldest of their events had been due. */
  readonly oldestDueMs: number
}

/** Scans do not come to the millisecond; what was sent one scan ago must not be missed by the next. */
const PUNCTUALITY = 0.9

/** While no worker answers, an event is hinted at less and less often, but not less often than this. */
const LONGEST_PAUSE = 3_600_000

/**
 * Sends a hint for each event that is due and for each run whose lease is over; it decides nothing itself, so a lost
 * or doubled message does no harm. Begins no page after `deadline`.
 */
export async function scanEvents(
  { due, queue, policy, clock, metrics, log }: ScanParts,
  deadline: Date,
): Promise<ScanResult> {
  const start = clock.now()
  const waited = ({ since }: DueEvent) => Math.max(0, start.getTime() - since.getTime())

  async function wake(event: DueEvent): Promise<void> {
    await queue.send(event.hint, 0)
    const until = new Date(start.getTime() + pauseAfter(waited(event), policy))
    await due.postponeScan(event.hint, until).catch((cause) => {
      log.warn('scan not noted on an event, the next one finds it again', { ...event.hint, cause })
    })
  }

  let sent = 0
  let oldestDueMs = 0
  for await (const events of due.dueBy(start)) {
    await ended(events.map(wake))
    sent += events.length
    oldestDueMs = Math.max(oldestDueMs, ...events.map(waited))
    if (clock.now() >= deadline) break
  }
  metrics.count('Scanned')
  metrics.measure('OldestDueAge', oldestDueMs)
  log.info('retry scan', { sent, oldestDueMs })
  return { sent, oldestDueMs }
}

/** One scan interval, and longer the longer an event waits: the hints of an outage stay few. */
function pauseAfter(waitedMs: number, { scanInterval }: RetryPolicy): number {
  return PUNCTUALITY * Math.max(scanInterval, Math.min(waitedMs, LONGEST_PAUSE))
}
