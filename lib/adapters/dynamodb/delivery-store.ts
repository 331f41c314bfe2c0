import type { DeliveryMove, DeliveryStatus } from '../../deliver/delivery.ts'
import { shortAnswer, withMove } from '../../deliver/history.ts'
import type { DeliveryClaim, DeliveryEnding, DeliveryStore } from '../../deliver/stores.ts'
import type { Documents } from './client.ts'
import { type ConditionFailed, jitter, type Pause, updateIf } from './conditional.ts'
import { type DeliveryItem, toDelivery } from './delivery-item.ts'
import { type DeliveryStep, deliveryUpdate, WAITING_ATTRIBUTES } from './delivery-move.ts'
import { rewriteDelivery } from './delivery-rewrite.ts'
import { IS_ALIVE, ttlAt } from './ttl.ts'

const IS_DUE = '(#status = :pending AND dueAt <= :now)'
const IS_ABANDONED = '(#status = :sending AND leaseUntil < :now)'

/** The moves of a delivery on the deliveries table; each condition names owner and status. */
export function dynamoDeliveryStore(documents: Documents, table: string, pause: Pause = jitter): DeliveryStore {
  async function end(claim: DeliveryClaim, step: Omit<DeliveryStep, 'when' | 'values'>): Promise<DeliveryEnding> {
    const update = deliveryUpdate(table, claim, {
      ...step,
      when: '#status = :sending AND #owner = :me',
      values: { ':sending': 'SENDING', ':me': claim.owner },
    })
    const result = await updateIf(documents, update)
    return { kind: result.kind === 'written' || isOwn(result, claim, step.status) ? 'written' : 'lost' }
  }

  return {
    async claim(claim) {
      const result = await updateIf(documents, deliveryUpdate(table, claim, beginning(claim)))
      const delivery = result.item && toDelivery(result.item as unknown as DeliveryItem)
      const isClaimed = result.kind === 'written' || isOwn(result, claim, 'SENDING')
      return isClaimed && delivery ? { kind: 'claimed', delivery } : { kind: 'refused', delivery }
    },

    async deliver(claim, { history }, answer, at) {
      const move = moveOf('DELIVERED', at, answer)
      return end(claim, {
        status: move.status,
        history: withMove(history, move),
        set: { answer: move.answer, deliveredAt: at.getTime() },
        remove: ['leaseUntil', ...WAITING_ATTRIBUTES],
      })
    },

    async fail(claim, { history }, { at, answer, dueAt }) {
      const move = moveOf(dueAt ? 'PENDING' : 'DEAD', at, answer)
      const due = dueAt?.getTime()
      return end(claim, {
        status: move.status,
        history: withMove(history, move),
        set: { answer: move.answer, dueAt: due, sweepAt: due, deadFor: dueAt ? undefined : claim.destination },
        remove: dueAt ? ['leaseUntil'] : ['leaseUntil', ...WAITING_ATTRIBUTES],
      })
    },

    async release(claim, dueAt) {
      const due = dueAt.getTime()
      return end(claim, {
        status: 'PENDING',
        set: { attempts: claim.n, dueAt: due, sweepAt: due },
        remove: ['leaseUntil'],
      })
    },

    async abandon(hint, at, answer) {
      const move = moveOf('DEAD', at, answer)
      const { kind, delivery } = await rewriteDelivery(documents, table, hint, pause, (stored) => {
        const { status, attempts, leaseUntil, history } = stored
        const isAbandoned =
          status === 'PENDING' || (status === 'SENDING' && leaseUntil !== undefined && leaseUntil < at)
        if (!isAbandoned || attempts !== hint.n) return undefined
        return {
          status: move.status,
          history: withMove(history, move),
          set: { answer: move.answer, deadFor: hint.destination },
          remove: ['leaseUntil', 'owner', ...WAITING_ATTRIBUTES],
        }
      })
      const last = delivery?.status === 'DEAD' ? delivery.history.at(-1) : undefined
      const isDone = kind === 'written' || (last?.at.getTime() === at.getTime() && last.answer === move.answer)
      return { kind: isDone ? 'written' : 'lost' }
    },
  }
}

/** The hint of a new row was sent at once: its claim leaves the scan where it is, about the end of the lease. */
function beginning({ n, owner, now, leaseUntil }: DeliveryClaim): DeliveryStep {
  const lease = leaseUntil.getTime()
  return {
    status: 'SENDING',
    set: { owner, leaseUntil: lease, attempts: n + 1, ...(n > 0 && { sweepAt: lease }) },
    remove: ['dueAt'],
    when: `attempts = :n AND (${IS_DUE} OR ${IS_ABANDONED}) AND ${IS_ALIVE}`,
    values: { ':n': n, ':now': now.getTime(), ':alive': ttlAt(now), ':pending': 'PENDING', ':sending': 'SENDING' },
  }
}

function moveOf(status: DeliveryStatus, at: Date, answer: string) {
  return { at, status, answer: shortAnswer(answer) } satisfies DeliveryMove
}

/** Whether an earlier try of the same write succeeded, and only its answer was lost. */
function isOwn({ item }: ConditionFailed, { owner }: DeliveryClaim, status: DeliveryStatus): boolean {
  return item?.['owner'] === owner && item['status'] === status
}
