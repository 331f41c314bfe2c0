import type { Delivery, DeliveryMove } from '../../deliver/delivery.ts'
import { withMove } from '../../deliver/history.ts'
import { ended } from '../../runtime/ended.ts'
import type { EventKey } from '../../webhooks/event.ts'
import type { EventDeliveries } from '../../webhooks/retention/payloads.ts'
import type { Documents } from './client.ts'
import { jitter, type Pause } from './conditional.ts'
import { type DeliveryItem, deliveriesKey, toDelivery } from './delivery-item.ts'
import { WAITING_ATTRIBUTES } from './delivery-move.ts'
import { rewriteDelivery } from './delivery-rewrite.ts'
import { rowsUnder } from './delivery-rows.ts'

/** What the deletion of payloads does on the deliveries table. */
export function dynamoEventDeliveries(documents: Documents, table: string, pause: Pause = jitter): EventDeliveries {
  async function of(event: EventKey): Promise<readonly Delivery[]> {
    const rows = await rowsUnder(documents, table, deliveriesKey(event))
    return rows.map((row) => toDelivery(row as unknown as DeliveryItem))
  }

  async function end(delivery: Delivery, move: DeliveryMove): Promise<boolean> {
    const { kind } = await rewriteDelivery(documents, table, delivery, pause, (stored) =>
      isOver(stored)
        ? undefined
        : {
            status: move.status,
            history: withMove(stored.history, move),
            set: { answer: move.answer, deadFor: delivery.destination },
            remove: ['leaseUntil', 'owner', ...WAITING_ATTRIBUTES],
          },
    )
    return kind === 'written'
  }

  return {
    async stateOf(event) {
      const deliveries = await of(event)
      if (deliveries.length === 0) return 'none'
      return deliveries.every(isOver) ? 'over' : 'open'
    },

    async endAll(event, at, answer) {
      const open = (await of(event)).filter((delivery) => !isOver(delivery))
      const areEnded = await ended(open.map((delivery) => end(delivery, { at, status: 'DEAD', answer })))
      return areEnded.filter(Boolean).length
    },
  }
}

function isOver({ status }: Delivery): boolean {
  return status === 'DELIVERED' || status === 'DEAD'
}
