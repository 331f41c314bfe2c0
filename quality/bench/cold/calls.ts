import { createHmac } from 'node:crypto'
import { STRIPE_SECRET } from '../../../test/support/lambda-environment.ts'
import { lambdaEvent } from '../../../test/support/lambda-event.ts'
import { cases } from '../warm/cases.ts'

/** What a fresh process is asked. */
export interface Call {
  readonly event: object
  /** Of the answer; undefined for any. */
  readonly status?: number
}

/** `/api/admin/secure` with a good token. */
export function bearerCall(): Call {
  const [first] = cases()
  return { event: JSON.parse(first?.events[0] ?? ''), status: 200 }
}

const EVENT = {
  id: 'evt_1PqRsTuVwXyZ',
  object: 'event',
  api_version: '2026-01-28',
  created: 1_767_225_600,
  livemode: false,
  type: 'payment_intent.succeeded',
  data: {
    object: {
      id: 'pi_1PqRsTuVwXyZ',
      object: 'payment_intent',
      amount: 1999,
      amount_received: 1999,
      currency: 'eur',
      status: 'succeeded',
      metadata: { orderId: 'order-1' },
    },
  },
}

/** `/webhooks/stripe` with an event that is signed now. */
export function stripeCall(): Call {
  const body = JSON.stringify(EVENT)
  const time = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', STRIPE_SECRET).update(`${time}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${time},v1=${signature}` }
  return { event: lambdaEvent('POST', '/webhooks/stripe', { headers, body }), status: 200 }
}

/** `/webhooks/payment`, which may go unsigned on the local stage. */
export function paymentCall(): Call {
  const body = '{"transactionId":"t","orderId":"o","status":"COMPLETED","currency":"EUR","amount":1}'
  const headers = { 'content-type': 'application/json' }
  return { event: lambdaEvent('POST', '/webhooks/payment', { headers, body }), status: 200 }
}
