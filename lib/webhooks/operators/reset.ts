import { fail } from '../../errors.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/time.ts'
import { type HintQueue, schedule } from '../../work/hints.ts'
import type { Audit } from '../audit.ts'
import { eventKeyOf } from '../detail.ts'
import { type EventHead, type EventKey, hintOf, type RetryHint } from '../event.ts'
import type { OrderEvent } from './replay-job.ts'

/** An operator's order to run an event again, with the reason. */
export interface RetryCommand {
  readonly at: Date
  readonly user: string
  /** The id of the user's account, which is notified of the end. */
  readonly orderedBy?: string | undefined
  readonly reason?: string | undefined
  /** The replay that gave the order; a replay resets each event once. */
  readonly replayId?: string | undefined
}

type Reset =
  | { readonly kind: 'reset'; readonly event: EventHead }
  | { readonly kind: 'refused'; readonly event: EventHead | undefined }

/** The state change that operators make. */
export interface OperatorStore {
  /**
   * FAILED → FAILED, due at once and with no attempt used up. Refused for another status, for an event that the same
   * replay has reset before, and for one whose payload was deleted. An older hint is dropped or finds the row due, like
   * the new one.
   * @throws ServiceError `UNAVAILABLE`
   */
  reset(key: EventKey, order: RetryCommand): Promise<Reset>
}

export interface OperatorParts {
  readonly operators: OperatorStore
  readonly queue: HintQueue<RetryHint>
  readonly clock: Clock
  readonly audit: Audit
  readonly log: Log
}

/**
 * Runs a failed event again now, whether attempts are left or not.
 * @returns the event before that run
 * @throws ServiceError `EVENT_NOT_FOUND`, `EVENT_NOT_FAILED`, `PAYLOAD_MISSING`, `UNAVAILABLE`
 */
export async function retryNow(
  { operators, queue, clock, audit, log }: OperatorParts,
  given: Partial<EventKey>,
  order: Pick<RetryCommand, 'user' | 'orderedBy' | 'reason'>,
): Promise<EventHead> {
  const { kind, event } = await operators.reset(eventKeyOf(given), { ...order, at: clock.now() })
  if (event === undefined) throw fail('EVENT_NOT_FOUND')
  if (kind === 'refused') throw fail(event.payloadDeletedAt ? 'PAYLOAD_MISSING' : 'EVENT_NOT_FAILED')
  audit.decided('replayed', event)
  await schedule(queue, log, hintOf(event), 0)
  return event
}

/** How a replay runs events again: those that failed, and that it has not ordered before. */
export function replayedRuns({ operators, queue, audit, log }: Omit<OperatorParts, 'clock'>): OrderEvent {
  return async (key, order) => {
    const { kind, event } = await operators.reset(key, order)
    if (event === undefined || !isYetToRun(event, order.replayId)) return
    if (kind === 'reset') audit.decided('replayed', event)
    await schedule(queue, log, hintOf(event), 0)
  }
}

/** Whether this replay has reset the event, and the event has neither been run nor given up since. */
function isYetToRun({ status, replayId, attempts, nextRetryAt }: EventHead, mine: string): boolean {
  return status === 'FAILED' && replayId === mine && attempts === 0 && nextRetryAt !== undefined
}
