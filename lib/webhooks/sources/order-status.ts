import * as z from 'zod/mini'
import { ORDER_STATUSES } from '../../orders/order.ts'
import { comparableDateTime, isLocalDate } from '../../runtime/time.ts'
import { summaryOf, textIn } from '../find.ts'
import { eventIdentityOf, type Kind, ownId } from '../identity.ts'
import { absentable, basePayload, identifier, readPayload } from '../payload.ts'
import { OWN_RETRIES } from '../provider.ts'
import { generic } from '../providers/generic.ts'
import type { EventSource, Plan } from '../source.ts'

const localDate = z.string('must be a text').check(z.refine(isLocalDate, 'must be a date, YYYY-MM-DD'))

/** The payload of an order status (webhooks-33). */
export const orderStatusPayload = z.object(
  {
    ...basePayload,
    orderId: identifier,
    status: z.enum(ORDER_STATUSES, { error: `must be one of ${ORDER_STATUSES.join(', ')}` }),
    trackingNumber: absentable(identifier),
    carrier: absentable(identifier),
    estimatedDelivery: absentable(localDate),
  },
  'must be a JSON object',
)

const IDENTITY: Kind = {
  identity: [ownId],
  type: () => 'ORDER_STATUS',
  summary: summaryOf(textIn('status'), textIn('orderId')),
  retries: OWN_RETRIES,
}

/** `POST /webhooks/order-status` (webhooks-1). */
export const orderStatusSource: EventSource = {
  name: 'order-status',
  scheme: generic,
  read(call) {
    const payload = readPayload(orderStatusPayload, call)
    return {
      identity: eventIdentityOf({ ...call, payload }, IDENTITY),
      plan: () => planOf(payload),
    }
  },
}

function planOf({ timestamp, ...payload }: z.output<typeof orderStatusPayload>): Plan {
  const { orderId, status, trackingNumber, carrier, estimatedDelivery } = payload
  const happenedAt = timestamp === undefined ? undefined : comparableDateTime(timestamp)
  return { order: { orderId, status, trackingNumber, carrier, estimatedDelivery, timestamp: happenedAt } }
}
