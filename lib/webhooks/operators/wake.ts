import { ended } from '../../runtime/ended.ts'
import { finalRefusal } from '../../runtime/message-text.ts'
import type { ReplayHint } from './replay.ts'
import type { ReplayStepParts } from './replay-steps.ts'

/** Sends a hint for each replay that no worker handles any more. @throws ServiceError `UNAVAILABLE` */
export async function wakeReplays({
  runs,
  queue,
  clock,
  metrics,
  log,
}: Pick<ReplayStepParts, 'runs' | 'queue' | 'clock' | 'metrics' | 'log'>) {
  const hints = await runs.waiting(clock.now())

  async function wake(hint: ReplayHint): Promise<void> {
    const refusal = await finalRefusal(queue.send(hint, 0))
    if (refusal === undefined) return
    log.error('a replay waits, its hint was refused', { ...hint, refusal })
    metrics.count('MessageRefused')
  }

  await ended(hints.map(wake))
}
