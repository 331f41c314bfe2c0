import { createHmac, randomUUID } from 'node:crypto'
import { STRIPE_SECRET } from '../../../test/support/lambda-environment.ts'
import { lambdaEvent } from '../../../test/support/lambda-event.ts'

type Type = 'payment_intent.succeeded' | 'payment_intent.payment_failed'

/** A webhook of Stripe about a payment, 2 KB of JSON, as the text of the event that a function gets. */
export function stripeEvent(type: Type, intent = randomUUID(), secret = STRIPE_SECRET): string {
  const body = JSON.stringify(payload(type, intent), null, 2)
  const seconds = Math.floor(Date.now() / 1000)
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  const headers = {
    accept: '*/*; q=0.5, application/xml',
    'content-length': `${body.length}`,
    'content-type': 'application/json; charset=utf-8',
    host: 'api.example',
    'stripe-signature': `t=${seconds},v1=${signature}`,
    'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
    'x-amzn-trace-id': 'Root=1-65a5f0d0-0123456789abcdef01234567',
    'x-forwarded-for': '192.0.2.7',
    'x-forwarded-port': '443',
    'x-forwarded-proto': 'https',
  }
  return JSON.stringify(lambdaEvent('POST', '/webhooks/stripe', { headers, body }))
}

/** As docs.stripe.com/api/events/object and docs.stripe.com/api/payment_intents/object show them. */
function payload(type: Type, intent: string) {
  return {
    id: `evt_${randomUUID()}`,
    object: 'event',
    api_version: '2026-01-28',
    created: 1_767_225_600,
    data: {
      object: {
        id: `pi_${intent}`,
        object: 'payment_intent',
        amount: 2000,
        amount_capturable: 0,
        amount_details: { tip: {} },
        amount_received: 2000,
        application: null,
        application_fee_amount: null,
        automatic_payment_methods: { allow_redirects: 'always', enabled: true },
        canceled_at: null,
        cancellation_reason: null,
        capture_method: 'automatic',
        client_secret: null,
        confirmation_method: 'automatic',
        created: 1_767_225_590,
        currency: 'eur',
        customer: 'cus_9s6XKzkNRiz8i3',
        description: 'Order 6735',
        last_payment_error: null,
        latest_charge: 'ch_1EXUPv2eZvKYlo2CStIqOmbY',
        livemode: false,
        metadata: { orderId: '6735' },
        next_action: null,
        on_behalf_of: null,
        payment_method: 'pm_1EXUPv2eZvKYlo2CUkqZASBe',
        payment_method_configuration_details: null,
        payment_method_options: {
          card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
          link: { persistent_token: null },
        },
        payment_method_types: ['card', 'link'],
        processing: null,
        receipt_email: 'jenny.rosen@example.com',
        review: null,
        setup_future_usage: null,
        shipping: null,
        source: null,
        statement_descriptor: null,
        statement_descriptor_suffix: null,
        status: 'succeeded',
        transfer_data: null,
        transfer_group: null,
      },
    },
    livemode: false,
    pending_webhooks: 1,
    request: { id: 'req_CLeUbCSZ5q5rKf', idempotency_key: null },
    type,
  }
}
