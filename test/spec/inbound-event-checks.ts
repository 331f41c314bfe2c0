import { expect } from 'vitest'
import { payment, postPayment } from '../support/events.ts'
import type { Checks } from './checks.ts'
import { decisionsOn, eventWhen, findEvent, isProcessed, storedOrder, storedPayment } from './stored-events.ts'
import {
  BAD_SIGNATURE,
  eventA,
  eventB,
  expectResponse,
  expectTextA,
  expectTextB,
  orderStatus,
  PROCESSED,
  postA,
  postB,
  postOrder,
  signatureA,
  signatureB,
} from './webhook-signatures.ts'
import type { World } from './world.ts'

/** An accepted payment and what became of it. */
async function pay(world: World, changes: object) {
  const body = payment({ ...changes })
  expectResponse(await postPayment(body), 200, PROCESSED)
  const event = await findEvent(world, 'payment', body['eventId'])
  return { body, event, stored: await storedPayment(body['transactionId']) }
}

async function deliverA(world: World, type: string) {
  const payload = eventA(type)
  expectTextA(await postA(payload, signatureA(payload)), 'accepted', type)
  const { id, data } = JSON.parse(payload)
  return { event: await findEvent(world, 'stripe', id), stored: await storedPayment(data.object.id) }
}

async function deliverB(world: World, name: string) {
  const payload = eventB()
  const delivery = crypto.randomUUID()
  expectTextB(await postB(payload, signatureB(payload), name, delivery), 'accepted', name)
  return eventWhen(world, 'github', delivery, isProcessed)
}

/** The effects of events (webhooks-65 to webhooks-72). */
export const inboundEventChecks = {
  '6/inbound': async (world) => {
    const order = orderStatus()
    expectResponse(await postOrder(order), 200, PROCESSED)
    const events = [
      (await pay(world, {})).event,
      await findEvent(world, 'order-status', JSON.parse(order).eventId),
      (await deliverA(world, 'payment_intent.succeeded')).event,
      await deliverB(world, 'push'),
    ]
    expect(events.map(({ source }) => source)).toEqual(['payment', 'order-status', 'stripe', 'github'])
  },

  '6/payment-completed': async (world) => {
    const { stored } = await pay(world, { status: 'COMPLETED', amount: '10.00' })
    expect(stored).toMatchObject({ status: 'COMPLETED', amount: '10.00' })
  },

  '6/payment-failed': async (world) => {
    expect((await pay(world, { status: 'FAILED' })).stored).toMatchObject({ status: 'FAILED' })
  },

  '6/payment-refunded': async (world) => {
    const { body } = await pay(world, { status: 'COMPLETED' })
    const refund = { ...body, eventId: crypto.randomUUID(), status: 'REFUNDED' }
    expect((await pay(world, refund)).stored).toMatchObject({ status: 'REFUNDED' })
  },

  '6/payment-other': async (world) => {
    for (const status of ['PENDING', 'PROCESSING', 'CANCELLED']) {
      const { body, event, stored } = await pay(world, { status })
      expect(event, status).toMatchObject({ status: 'PROCESSED', outcome: 'no action' })
      expect(stored, status).toBeUndefined()
      expect(await decisionsOn(body['eventId']), status).toMatchObject([{ outcome: 'no action' }])
    }
  },

  '6/order': async () => {
    const shipped = orderStatus({ status: 'SHIPPED', carrier: 'UPS' })
    const { orderId } = JSON.parse(shipped)
    const forged = orderStatus({ orderId, status: 'RETURNED' })
    expectResponse(await postOrder(forged, {}), 401, BAD_SIGNATURE)
    expect(await storedOrder(orderId)).toBeUndefined()
    expectResponse(await postOrder(shipped), 200, PROCESSED)
    expectResponse(await postOrder(forged, { 'x-signature': '0'.repeat(64) }), 401, BAD_SIGNATURE)
    expect(await storedOrder(orderId)).toMatchObject({ status: 'SHIPPED', carrier: 'UPS' })
    expectResponse(await postOrder(orderStatus({ orderId, status: 'DELIVERED' })), 200, PROCESSED)
    expect(await storedOrder(orderId)).toMatchObject({ status: 'DELIVERED', carrier: 'UPS' })
  },

  '6/provider-a': async (world) => {
    const { stored: succeeded } = await deliverA(world, 'payment_intent.succeeded')
    expect(succeeded).toMatchObject({ status: 'COMPLETED', amount: '10.99', currency: 'EUR' })
    expect((await deliverA(world, 'payment_intent.payment_failed')).stored).toMatchObject({ status: 'FAILED' })
  },

  '6/provider-b': async (world) => {
    expect(await deliverB(world, 'push')).toMatchObject({ outcome: 'push to refs/heads/main' })
    const pullRequest = expect.stringMatching(/^pull request #7 opened: main <- \S+$/)
    expect(await deliverB(world, 'pull_request')).toMatchObject({ outcome: pullRequest })
  },

  '6/record': async (world) => {
    const { body, event } = await pay(world, {})
    expect(event).toEqual({
      id: expect.stringMatching(/^\d+$/),
      source: 'payment',
      eventId: body['eventId'],
      eventType: 'PAYMENT',
      status: 'PROCESSED',
      receivedAt: event.receivedAt,
      processedAt: event.receivedAt,
      attempts: 0,
      nextRetryAt: null,
      dead: false,
      errorMessage: null,
      outcome: null,
      proof: { level: 'none', key: null, signedAt: null, typeSigned: false, idSigned: false },
      possibleDuplicateOf: null,
      typeConflict: false,
      held: false,
      summary: `10.5 EUR · ${body['orderId']}`,
      idConflict: null,
      itemCount: null,
      items: [],
      payload: JSON.stringify(body),
      payloadEncoding: 'utf8',
      payloadTruncated: false,
      payloadBytes: Buffer.byteLength(JSON.stringify(body)),
      payloadDeletedAt: null,
      headers: { 'content-type': 'application/json' },
      history: [{ at: event.receivedAt, status: 'PROCESSED', by: 'intake', error: null }],
    })
    const audited = { decision: 'processed', source: 'payment', eventId: body['eventId'], eventType: 'PAYMENT' }
    expect(await decisionsOn(body['eventId'])).toMatchObject([audited])
  },

  '6/order-types': async (world) => {
    for (const eventType of ['order.shipped', 'anything', undefined]) {
      const body = orderStatus({ eventType })
      expectResponse(await postOrder(body), 200, PROCESSED)
      const event = await findEvent(world, 'order-status', JSON.parse(body).eventId)
      expect(event).toMatchObject({ eventType: 'ORDER_STATUS' })
    }
  },
} satisfies Checks<'6'>
