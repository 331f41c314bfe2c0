import { settleAll } from '../../runtime/async.ts'
import { finalRefusal } from '../../runtime/message-text.ts'
import { type ScanParts, type ScanResult, scanEvents } from '../retry/scan.ts'
import type { ReplayHint } from './replay.ts'
import type { ReplayJobParts } from './replay-job.ts'

type ReplayScanParts = Pick<ReplayJobParts, 'runs' | 'queue' | 'clock' | 'metrics' | 'log'>

/**
 * Sends a hint for each waiting event and each waiting replay. Both scans run to their end, even if one fails.
 * @throws the error of the scan that failed, once both have ended
 */
export async function scan(
  events: ScanParts,
  replays: Pick<ReplayScanParts, 'runs' | 'queue' | 'clock'>,
  deadline: Date,
): Promise<ScanResult> {
  const failed = (part: string) => (cause: unknown) => {
    events.log.error('retry scan failed', { part, cause })
    throw cause
  }
  const [swept] = await settleAll([
    scanEvents(events, deadline).catch(failed('events')),
    wakeReplays({ ...replays, metrics: events.metrics, log: events.log }).catch(failed('replays')),
  ])
  return swept
}

/** Sends a hint for each replay that no worker handles any more. @throws ServiceError `UNAVAILABLE` */
export async function wakeReplays({ runs, queue, clock, metrics, log }: ReplayScanParts): Promise<void> {
  async function wake(hint: ReplayHint): Promise<void> {
    const refusal = await finalRefusal(queue.send(hint, 0))
    if (refusal === undefined) return
    log.error('a replay waits, its hint was refused', { ...hint, refusal })
    metrics.count('MessageRefused')
  }

  await settleAll((await runs.waiting(clock.now())).map(wake))
}
