import { lambdaEvent } from '../../../test/support/lambda-event.ts'
import { githubEvent, stripeEvent } from '../../../test/support/sent-events.ts'
import { signedByGithub, signedByStripe, stripeSignature } from '../accepted/events.ts'
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

/** `/webhooks/stripe` with a small event that is signed now, and no header besides. */
export function stripeCall(): Call {
  const body = JSON.stringify(EVENT)
  const headers = { 'content-type': 'application/json', 'stripe-signature': stripeSignature(body) }
  return { event: lambdaEvent('POST', '/webhooks/stripe', { headers, body }), status: 200 }
}

/** `/webhooks/stripe` with an event of 2 KB and all headers, as Stripe and the gateway send it. */
export function stripeDelivery(): Call {
  return { event: signedByStripe(stripeEvent(2048)), status: 200 }
}

/** The same of GitHub. */
export function githubDelivery(): Call {
  return { event: signedByGithub(githubEvent(2048)), status: 200 }
}

/** `/webhooks/payment`, which may go unsigned on the local stage. */
export function paymentCall(): Call {
  const body = '{"transactionId":"t","orderId":"o","status":"COMPLETED","currency":"EUR","amount":1}'
  const headers = { 'content-type': 'application/json' }
  return { event: lambdaEvent('POST', '/webhooks/payment', { headers, body }), status: 200 }
}
