import { createHash } from 'node:crypto'
import type { Delivery, DeliveryKey, DeliveryMove } from '../../deliver/delivery.ts'
import { withMove } from '../../deliver/history.ts'
import type { DeliveryDesk, DeliveryOrder } from '../../deliver/stores.ts'
import type { Documents } from './client.ts'
import { jitter, type Pause } from './conditional.ts'
import { type DeliveryItem, deliveriesKey, dueShardsOf, toDelivery, toDeliveryItem } from './delivery-item.ts'
import { rewriteDelivery } from './delivery-rewrite.ts'
import { rowsUnder } from './delivery-rows.ts'
import { shardOf } from './event-item.ts'
import { putRecorded } from './recorded.ts'
import { whereFree } from './ttl.ts'

/** What operators do on the deliveries table. */
export function dynamoDeliveryDesk(documents: Documents, table: string, pause: Pause = jitter): DeliveryDesk {
  async function order(key: DeliveryKey, given: DeliveryOrder) {
    const { kind, delivery } = await rewriteDelivery(documents, table, key, pause, (stored) => {
      const { at, replayId, statuses = [stored.status] } = given
      const { status, leaseUntil, history } = stored
      const isUnderWay = status === 'SENDING' && leaseUntil !== undefined && leaseUntil >= at
      const isOrdered = replayId !== undefined && stored.replayId === replayId
      if (isUnderWay || isOrdered || !statuses.includes(status)) return undefined
      const due = at.getTime()
      return {
        status: 'PENDING',
        history: withMove(history, moveOf(given)),
        set: { attempts: 0, dueAt: due, orderedAt: due, replayId, dueShard: anyShard(key), sweepAt: due },
        remove: ['leaseUntil', 'owner', 'deliveredAt', 'deadFor'],
      }
    })
    return { kind: kind === 'written' ? 'ordered' : 'refused', delivery } as const
  }

  return {
    async of(event) {
      const rows = await rowsUnder(documents, table, deliveriesKey(event))
      return rows.map((row) => toDelivery(row as unknown as DeliveryItem))
    },

    order,

    async create(delivery, given) {
      const { at, replayId } = given
      const ordered: Delivery = {
        ...delivery,
        status: 'PENDING',
        attempts: 0,
        dueAt: at,
        orderedAt: at,
        replayId,
        history: [moveOf(given)],
      }
      const { kind } = await putRecorded(documents, {
        TableName: table,
        Item: { ...toDeliveryItem(ordered), dueShard: anyShard(delivery), sweepAt: at.getTime() },
        ...whereFree('destination', at),
      })
      return kind === 'written' ? { kind: 'ordered', delivery: ordered } : order(delivery, given)
    },
  }
}

function moveOf({ at, user, reason }: DeliveryOrder): DeliveryMove {
  return { at, status: 'PENDING', user, reason }
}

/** The row may have left the index of what is due; any key of it will do. */
function anyShard({ eventId, destination }: DeliveryKey): string {
  return shardOf(dueShardsOf(destination), createHash('sha256').update(eventId).digest('hex'))
}
