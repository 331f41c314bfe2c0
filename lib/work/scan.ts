import { settleAll } from '../runtime/async.ts'
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

export interface HintParts<H> {
  readonly queue: HintQueue<H>
  readonly metrics: Metrics
  readonly log: Log
  /** Gives up the row of a hint that the queue refuses for good. */
  readonly giveUp: (hint: H, refusal: string) => Promise<unknown>
}

export interface Scan<H, D> extends HintParts<H> {
  readonly due: DueRows<H>
  /** The scans before this time pass the row over. */
  readonly until: (row: D) => Date
  /** Whether no other page is begun, after so many hints. */
  readonly isOver: (sent: number) => boolean
}

/** Wakes a worker for each row that waits. @returns how many there were @throws ServiceError `UNAVAILABLE` */
export async function wakeRows<H, D extends { readonly hint: H }>(
  pages: AsyncIterable<readonly D[]>,
  { due, until, isOver, ...parts }: Scan<H, D>,
): Promise<number> {
  async function wake(row: D): Promise<void> {
    const { hint } = row
    const passedOver = until(row)
    if (!(await sendHint(parts, hint))) return
    parts.log.info('woken by the scan', { ...(hint as object) })
    await due.postponeScan(hint, passedOver).catch((cause) => {
      parts.log.warn('scan not noted on a row, the next one finds it again', { ...(hint as object), cause })
    })
  }

  let sent = 0
  for await (const page of pages) {
    await settleAll(page.map(wake))
    sent += page.length
    if (isOver(sent)) break
  }
  return sent
}

/** Sends a hint. @returns whether it was sent @throws ServiceError `UNAVAILABLE` */
export async function sendHint<H>({ queue, metrics, log, giveUp }: HintParts<H>, hint: H): Promise<boolean> {
  const refusal = await finalRefusal(queue.send(hint, 0))
  if (refusal === undefined) return true
  log.error('a row is given up, its hint was refused', { ...(hint as object), refusal })
  metrics.count('MessageRefused')
  await giveUp(hint, refusal)
  return false
}
