import { orders } from '../../lib/app/processing.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { webhookAccepted } from '../../lib/contract/answers/events.ts'
import { ACCEPTED, DUPLICATE } from '../../lib/contract/examples.ts'
import { INTAKE, ORDERS } from '../../lib/contract/grants.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { signed, webhookResponse } from '../../lib/http/webhook-call.ts'
import { orderStatusPayload, orderStatusSource } from '../../lib/webhooks/sources/order-status.ts'

export const route = {
  method: 'POST',
  path: '/webhooks/order-status',
  access: 'signature',
  errors: 'webhook',
} as const satisfies Route

export const about = (): About => ({
  tag: 'Webhooks',
  summary: 'Receive the status of an order',
  description: DUPLICATE,
  reads: { signed: 'generic' },
  payload: orderStatusPayload,
  bodyExample: {
    eventId: 'evt-1',
    eventType: 'ORDER_STATUS',
    orderId: 'order-1',
    status: 'SHIPPED',
    trackingNumber: '00340434161094021501',
    carrier: 'DHL',
    estimatedDelivery: '2026-11-24',
  },
  refuses: ['CODING_UNSUPPORTED', 'VALIDATION_FAILED', 'PROCESSING_FAILED'],
  answers: { 200: jsonAnswer('It is stored, together with its effect.', webhookAccepted, ACCEPTED) },
  grants: [...INTAKE, ORDERS],
})

export async function start() {
  const app = await makeWebhooks([orders()])
  return endpoint(route, app, signed(orderStatusSource, app.intake), async ({ input }) =>
    webhookResponse(await app.inbox.accept(orderStatusSource, input), app.clock.now()),
  )
}
