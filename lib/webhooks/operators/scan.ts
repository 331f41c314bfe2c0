import { ended } from '../../runtime/ended.ts'
import { type ScanParts, type ScanResult, scanEvents } from '../retry/scan.ts'
import type { ReplayStepParts } from './replay-steps.ts'
import { wakeReplays } from './wake.ts'

/**
 * Sends a hint for each waiting event and each waiting replay. Both scans run to their end, even if one fails.
 * @throws the error of the scan that failed, once both have ended
 */
export async function scan(
  events: ScanParts,
  replays: Pick<ReplayStepParts, 'runs' | 'queue' | 'clock'>,
  deadline: Date,
): Promise<ScanResult> {
  const failed = (part: string) => (cause: unknown) => {
    events.log.error('retry scan failed', { part, cause })
    throw cause
  }
  const [swept] = await ended([
    scanEvents(events, deadline).catch(failed('events')),
    wakeReplays({ ...replays, metrics: events.metrics, log: events.log }).catch(failed('replays')),
  ])
  return swept
}
