import type { Log } from '../runtime/log.ts'
import { finalRefusal } from '../runtime/message-text.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { HintQueue } from './hints.ts'

/** The rows that wait, ordered by the time of their next scan. */
export interface DueRows<H> {
  /** Postpones only the row's next scan, so that the hint has time to arrive before the scan sends another. */
  postponeScan(hint: H, until: Date): Promise<void>
}

export interface WakingParts<H> {
  readonly due: DueRows<H>
  readonly queue: HintQueue<H>
  readonly metrics: Metrics
  readonly log: Log
}

/** Wakes the worker of a row that waits, and lets the next scans pass it over until then. */
export async function wake<H>(
  { due, ...parts }: WakingParts<H>,
  hint: H,
  until: Date,
  giveUp: (refusal: string) => Promise<unknown>,
): Promise<void> {
  if (!(await sent(parts, hint, giveUp))) return
  const row = { ...(hint as object) }
  parts.log.info('woken by the scan', row)
  await due.postponeScan(hint, until).catch((cause) => {
    parts.log.warn('scan not noted on a row, the next one finds it again', { ...row, cause })
  })
}

/** Sends a hint; a row whose hint is refused for good is given up. @returns whether it was sent */
export async function sent<H>(
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
