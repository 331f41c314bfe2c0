import { ended } from '../../runtime/ended.ts'
import type { ReplayStepParts } from './replay-steps.ts'

/** Sends a hint for each replay that no worker handles any more. @throws ServiceError `UNAVAILABLE` */
export async function wakeReplays({ runs, queue, clock }: Pick<ReplayStepParts, 'runs' | 'queue' | 'clock'>) {
  const hints = await runs.waiting(clock.now())
  await ended(hints.map((hint) => queue.send(hint, 0)))
}
