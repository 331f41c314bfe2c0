import type { Log } from '../runtime/log.ts'
import { finalRefusal } from '../runtime/message-text.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { HintQueue } from './hints.ts'

/** The rows that wait, ordered by the time of their next scan. */
export interface DueRows<H> {
  /**
   * Postpones only the row's next scan, unless it has had another run: the hint has time to arrive before the scan sends
   * another.
   */
  postponeScan(hint: H, until: Date): Promise<void>
}

export interface WakingParts<H> {
  readonly due: DueRows<H>
  readonly queue: HintQueue<H>
  readonly metrics: Metrics
  readonly log: Log
}

/** Wakes a worker for a row that waits. The scans before `until` pass the row over. @throws ServiceError `UNAVAILABLE` */
export async function wakeRow<H>(
  { due, ...parts }: WakingParts<H>,
  hint: H,
  until: Date,
  giveUp: (refusal: string) => Promise<unknown>,
): Promise<void> {
  if (!(await sendHint(parts, hint, giveUp))) return
  const row = { ...(hint as object) }
  parts.log.info('woken by the scan', row)
  await due.postponeScan(hint, until).catch((cause) => {
    parts.log.warn('scan not noted on a row, the next one finds it again', { ...row, cause })
  })
}

/**
 * Sends a hint. A row whose hint the queue refuses for good is given up.
 * @returns whether the hint was sent
 * @throws ServiceError `UNAVAILABLE`
 */
export async function sendHint<H>(
  { queue, metrics, log }: Omit<WakingParts<H>, 'due'>,
  hint: H,
  giveUp: (refusal: string) => Promise<unknown>,
): Promise<boolean> {
  const refusal = await finalRefusal(queue.send(hint, 0))
  if (refusal === undefined) return true
  log.error('a row is given up, its hint was refused', { ...(hint as object), refusal })
  metrics.count('MessageRefused')
  await giveUp(refusal)
  return false
}
