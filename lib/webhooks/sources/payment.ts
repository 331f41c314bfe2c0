import * as z from 'zod/mini'
import type { PaymentStatus } from '../../payments/payment.ts'
import { money, summaryOf, textIn } from '../find.ts'
import { eventIdentityOf, type Kind, ownId } from '../identity.ts'
import { absentable, amount, basePayload, identifier, readPayload } from '../payload.ts'
import { OWN_RETRIES } from '../provider.ts'
import { generic } from '../providers/generic.ts'
import type { EventSource, Plan } from '../source.ts'

const STATUSES = ['COMPLETED', 'FAILED', 'REFUNDED', 'PENDING', 'PROCESSING', 'CANCELLED'] as const

/** Any other status is logged and has no effect (webhooks-69). */
const WITH_EFFECT: readonly string[] = ['COMPLETED', 'FAILED', 'REFUNDED'] satisfies PaymentStatus[]

/** The payload of a payment (webhooks-30). */
export const paymentPayload = z.object(
  {
    ...basePayload,
    transactionId: identifier,
    orderId: identifier,
    status: z.enum(STATUSES, { error: `must be one of ${STATUSES.join(', ')}` }),
    amount: absentable(amount),
    currency: identifier.check(z.refine((text) => text.trim() !== '', 'must not be blank')),
    customerId: absentable(identifier),
  },
  'must be a JSON object',
)

type PaymentPayload = z.output<typeof paymentPayload>

const IDENTITY: Kind = {
  identity: [ownId],
  type: () => 'PAYMENT',
  summary: summaryOf(money(['amount'], ['currency']), textIn('orderId')),
  retries: OWN_RETRIES,
}

/** `POST /webhooks/payment` (webhooks-1). */
export const paymentSource: EventSource = {
  name: 'payment',
  scheme: generic,
  read(call) {
    const payload = readPayload(paymentPayload, call)
    return {
      identity: eventIdentityOf({ ...call, payload }, IDENTITY),
      plan: () => planOf(payload),
    }
  },
}

function planOf({ transactionId, orderId, status, amount, currency, customerId }: PaymentPayload): Plan {
  if (!hasEffect(status)) return { outcome: 'no action' }
  return { payment: { transactionId, orderId, status, amount, currency, customerId } }
}

function hasEffect(status: string): status is PaymentStatus {
  return WITH_EFFECT.includes(status)
}
