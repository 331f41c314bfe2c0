import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { Delivery, DeliveryKey } from '../../deliver/delivery.ts'
import { unavailable } from '../../errors.ts'
import { type Documents, request } from './client.ts'
import type { Item, Pause } from './conditional.ts'
import { type DeliveryItem, deliveryKey, toDelivery } from './delivery-item.ts'
import { type DeliveryStep, deliveryUpdate } from './delivery-move.ts'
import { updateRecorded } from './recorded.ts'

const ROUNDS = 6

type Rewrite = Omit<DeliveryStep, 'when' | 'values'>

interface Rewritten {
  readonly kind: 'written' | 'refused'
  /** The stored delivery after the attempt; undefined if there is none. */
  readonly delivery: Delivery | undefined
}

/**
 * A step by somebody who does not own the delivery: reads the row, and writes it if nothing has changed since;
 * otherwise it repeats both.
 * @param step the step from the stored delivery, or undefined if it must not be made
 * @throws ServiceError `UNAVAILABLE`, also when others keep changing the row
 */
export async function rewriteDelivery(
  documents: Documents,
  table: string,
  key: DeliveryKey,
  pause: Pause,
  step: (stored: Delivery) => Rewrite | undefined,
): Promise<Rewritten> {
  const get = new GetCommand({ TableName: table, Key: deliveryKey(key), ConsistentRead: true })
  let item: Item | undefined = (await request(() => documents.send(get))).Item
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await pause(round - 1)
    const delivery = item && toDelivery(item as unknown as DeliveryItem)
    const rewrite = delivery && step(delivery)
    if (!rewrite) return { kind: 'refused', delivery }
    const result = await updateRecorded(documents, deliveryUpdate(table, key, { ...rewrite, ...asRead(delivery) }))
    if (result.kind === 'written')
      return { kind: 'written', delivery: toDelivery(result.item as unknown as DeliveryItem) }
    item = result.item
  }
  throw unavailable(new Error('the delivery did not come to rest'))
}

/** Each try changes the number of tries or the status; each order changes its time. */
function asRead({ status, attempts, orderedAt }: Delivery): Pick<DeliveryStep, 'when' | 'values'> {
  const isOrder = orderedAt ? 'orderedAt = :orderedAt' : 'attribute_not_exists(orderedAt)'
  return {
    when: `#status = :status AND attempts = :attempts AND ${isOrder}`,
    values: {
      ':status': status,
      ':attempts': attempts,
      ...(orderedAt && { ':orderedAt': orderedAt.getTime() }),
    },
  }
}
