import { afterFailure, afterSuccess, PROBE_PAUSE, takingProbe } from '../../lib/deliver/breaker.ts'
import type { Destination } from '../../lib/deliver/destination.ts'
import { healthyOf } from '../../lib/deliver/health.ts'
import { nextDueAt } from '../../lib/deliver/policy.ts'
import { LONGEST_DELAY } from '../../lib/webhooks/retry/queue.ts'
import type { Random } from '../../test/support/random.ts'

/** How a destination is served. */
export type Service = Pick<Destination, 'name' | 'concurrency' | 'delays' | 'giveUpAfter' | 'timeout'>

/** How a destination answers. */
export interface Receiver {
  readonly answerMilliseconds: number
  /** Every try in these seconds fails. */
  readonly down?: Span | undefined
}

/** From a second to another one, without the latter. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A delivery that is not over. */
export interface Row {
  readonly receivedAt: Date
  attempts: number
  /** From this second on a scan finds it. */
  sweepAt: number
}

/** What came of a try; a message wakes what is due again soon, a scan the rest. */
export type TryEnd =
  | { readonly kind: 'delivered' | 'dead' }
  | { readonly kind: 'again'; readonly at: number; readonly isHinted: boolean }

export const SECOND = 1000

/** Tries as the service makes them, with its own rules of circuits and pauses. */
export function triesOf(service: Service, { down = { from: 0, to: 0 } }: Receiver, random: Random) {
  let health = healthyOf(service.name)

  const fails = (second: number) => second >= down.from && second < down.to

  function failed(row: Row, second: number, isProbe: boolean): TryEnd {
    const at = new Date(second * SECOND)
    health = afterFailure(health, { kind: 'failed', answer: '503' }, at)
    const attempts = row.attempts + 1
    const dueAt = nextDueAt({ receivedAt: row.receivedAt, attempts }, service, at, 0, random.next())
    if (dueAt === undefined) return { kind: 'dead' }
    // A probe is not charged.
    if (isProbe) return { kind: 'again', at: second + (2 * PROBE_PAUSE) / SECOND, isHinted: false }
    row.attempts = attempts
    const isSoon = dueAt.getTime() - at.getTime() <= LONGEST_DELAY
    return { kind: 'again', at: Math.ceil(dueAt.getTime() / SECOND), isHinted: isSoon && health.state !== 'OPEN' }
  }

  return {
    fails,
    isOpen: () => health.state === 'OPEN',
    /** Takes the turn of the next probe of an open circuit; false if it is not due. */
    takesProbe(second: number): boolean {
      const taken = takingProbe(health, new Date(second * SECOND))
      health = taken ?? health
      return taken !== undefined
    },
    end(row: Row, second: number, isProbe: boolean): TryEnd {
      if (fails(second)) return failed(row, second, isProbe)
      health = afterSuccess(health) ?? health
      return { kind: 'delivered' }
    },
  }
}
