import * as z from 'zod/mini'
import { invalid, rulesIn } from '../../errors.ts'
import type { PaymentStatus } from '../../payments/payment.ts'
import { decimalsOf, fromMinorUnits } from '../../payments/payment.ts'
import { body, first, type Message, pick, summaryOf, textIn } from '../find.ts'
import { eventIdentityOf } from '../identity.ts'
import { attemptBody, Numeral, parseJson } from '../json.ts'
import { absentable, identifier } from '../payload.ts'
import { type Provider, retriesFor } from '../provider.ts'
import { type ProviderSample, secondsOf } from '../sample.ts'
import { readSeconds } from '../schemes/encoding.ts'
import { timestamped } from '../schemes/timestamped.ts'
import type { EventSource, Plan, Reading, VerifiedCall } from '../source.ts'

/** webhooks-15; docs.stripe.com/webhooks "Verify webhook signatures manually". */
const scheme = timestamped({
  header: 'stripe-signature',
  separator: ',',
  names: { time: 't', signature: 'v1' },
  joint: '.',
  readTime: readSeconds,
  toleranceSeconds: 300,
  refusals: { signature: 'SIGNATURE_REJECTED', timestamp: 'SIGNATURE_REJECTED' },
})

/** The types with an effect; all others are logged and acknowledged (webhooks-71). */
const STATUS_OF_TYPE: Readonly<Record<string, PaymentStatus>> = {
  'payment_intent.succeeded': 'COMPLETED',
  'payment_intent.payment_failed': 'FAILED',
}

/** The envelope of docs.stripe.com/api/events/object. */
const stripeEvent = z.object(
  { type: z.catch(absentable(identifier), undefined), data: z.optional(z.unknown()) },
  'must be a JSON object',
)

const minorUnits = absentable(
  z.pipe(
    z.instanceof(Numeral),
    z.transform(({ text }) => text),
  ),
)

/** The fields of docs.stripe.com/api/payment_intents/object that a payment uses, required and optional. */
const paymentIntent = z.object({
  object: z.object({
    id: identifier,
    currency: z.string(),
    amount: minorUnits,
    amount_received: minorUnits,
    customer: z.catch(absentable(identifier), undefined),
    metadata: z.catch(absentable(z.object({ orderId: absentable(identifier) })), undefined),
  }),
})

/** Stripe has an endpoint of its own (webhooks-2). */
export const provider = {
  name: 'stripe',
  scheme,
  /** docs.stripe.com/webhooks, "Retries": three days, each try with a time of its own. */
  retries: retriesFor(72, true),
  identity: [{ rule: 'signed-id', id: body('id') }],
  summary: summaryOf(amountOf, first(textIn('data', 'object', 'metadata', 'orderId'), textIn('data', 'object', 'id'))),
  read,
} as const satisfies Provider & EventSource

function read(call: VerifiedCall): Reading {
  const { payload, unreadable } = attemptBody(call, parseJson)
  const envelope = z.safeParse(stripeEvent, payload instanceof Numeral ? payload.text : payload)
  const { type = 'UNKNOWN', data } = envelope.data ?? {}
  const status = Object.hasOwn(STATUS_OF_TYPE, type) ? STATUS_OF_TYPE[type] : undefined
  return {
    identity: eventIdentityOf({ ...call, payload }, { ...provider, type: () => type }),
    unreadable: unreadable ?? (envelope.success ? undefined : rulesIn(invalid(envelope.error.issues))),
    plan: () => (status === undefined ? { outcome: 'no action' } : planOf(status, data)),
  }
}

function amountOf({ payload }: Message): string | undefined {
  const currency = pick(payload, ['data', 'object', 'currency'])?.toUpperCase() ?? ''
  const amount = fromMinorUnits(pick(payload, ['data', 'object', 'amount']) ?? '', decimalsOf(currency))
  return amount && currency && `${amount} ${currency}`
}

function planOf(status: PaymentStatus, data: unknown): Plan {
  const intent = z.safeParse(paymentIntent, data).data?.object
  const units = intent?.amount_received === '0' ? intent.amount : (intent?.amount_received ?? intent?.amount)
  if (intent === undefined || units === undefined) return { outcome: 'no payment intent' }
  // ISO 4217.
  if (!/^[a-z]{3}$/i.test(intent.currency)) return { outcome: 'payment intent in an unknown currency' }
  const { id: transactionId, customer: customerId, metadata } = intent
  const currency = intent.currency.toUpperCase()
  const amount = fromMinorUnits(units, decimalsOf(currency))
  return { payment: { transactionId, status, orderId: metadata?.orderId, currency, amount, customerId } }
}

export const sample = (): ProviderSample => ({
  events: ['payment_intent.succeeded', 'payment_intent.payment_failed', 'charge.refunded'],
  draft: (type, { id, at }) => ({
    body: {
      id: `evt_${id}`,
      object: 'event',
      type,
      created: secondsOf(at),
      data: {
        object: {
          id: `pi_${id}`,
          object: 'payment_intent',
          amount: 1099,
          amount_received: type === 'payment_intent.succeeded' ? 1099 : 0,
          currency: 'eur',
          customer: 'cus_demo',
          metadata: { orderId: `order-${id}` },
        },
      },
    },
  }),
  prove: ({ hex, seconds }) => ({ headers: { 'stripe-signature': `t=${seconds},v1=${hex}` } }),
  transaction: { path: 'data.object.id', events: ['payment_intent.succeeded', 'payment_intent.payment_failed'] },
  described: { header: '`Stripe-Signature`', secret: 'text', signed: 'time (300 s), body' },
})
