import type { Log } from '../../runtime/log.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import type { Clock } from '../../runtime/time.ts'
import type { HintQueue } from '../../work/hints.ts'
import { type DueRows, wakeRows } from '../../work/scan.ts'
import type { Audit } from '../audit.ts'
import type { RetryHint } from '../event.ts'
import type { RetryPolicy } from './policy.ts'
import type { RetryStore } from './worker.ts'

/** A row that waits for a run. */
export interface DueEvent {
  readonly hint: RetryHint
  /** The time since which the row has been due. */
  readonly since: Date
}

export interface DueEvents extends DueRows<RetryHint> {
  /** Pages of the rows whose scan was due by then; they may lag slightly behind the table. */
  dueBy(now: Date): AsyncIterable<readonly DueEvent[]>
}

export interface ScanParts {
  readonly store: Pick<RetryStore, 'exhaust'>
  readonly due: DueEvents
  readonly queue: HintQueue<RetryHint>
  readonly policy: RetryPolicy
  readonly clock: Clock
  readonly audit: Audit
  readonly metrics: Metrics
  readonly log: Log
}

/** The result of one scan. */
export interface ScanResult {
  /** The number of hints sent. */
  readonly sent: number
  /** How long the oldest event among them had been due, in milliseconds. */
  readonly oldestDueMs: number
}

/** Scans do not start exactly on time; the next scan must not miss an event that was hinted one scan ago. */
const PUNCTUALITY = 0.9

/**
 * While no worker answers, the scan hints at an event less and less often; this is the longest pause, in milliseconds.
 */
const LONGEST_PAUSE = 3_600_000

/**
 * Sends a hint for each due event and for each run whose lease has expired. It ends the events whose hint the queue never
 * takes, and decides nothing else, so a lost or duplicate message does no harm. Starts no page after `deadline`.
 */
export async function scanEvents(
  { store, due, queue, policy, clock, audit, metrics, log }: ScanParts,
  deadline: Date,
): Promise<ScanResult> {
  const start = clock.now()
  let oldestDueMs = 0
  const sent = await wakeRows(due.dueBy(start), {
    ...{ due, queue, metrics, log },
    until({ since }) {
      const waitedMs = Math.max(0, start.getTime() - since.getTime())
      oldestDueMs = Math.max(oldestDueMs, waitedMs)
      return new Date(start.getTime() + pauseAfter(waitedMs, policy))
    },
    async giveUp(hint, refusal) {
      const { kind } = await store.exhaust(hint, start, `the retry queue refused its message: ${refusal}`)
      if (kind === 'written') audit.decided('dead', hint)
    },
    isOver: () => clock.now() >= deadline,
  })
  metrics.measure('OldestDueAge', oldestDueMs)
  log.info('retry scan', { sent, oldestDueMs })
  return { sent, oldestDueMs }
}

/**
 * The pause before the next hint: at least one scan interval, longer the longer the event waits. An outage causes few
 * hints.
 */
function pauseAfter(waitedMs: number, { scanInterval }: RetryPolicy): number {
  return PUNCTUALITY * Math.max(scanInterval, Math.min(waitedMs, LONGEST_PAUSE))
}
