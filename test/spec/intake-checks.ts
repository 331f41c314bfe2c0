import { expect, vi } from 'vitest'
import { payment, postPayment } from '../support/events.ts'
import type { Checks } from './checks.ts'
import { FAILURE, failingPayment } from './failing-payment.ts'
import { decisionsOn, eventWhen, findEvent, isProcessed, movesOf, PATIENCE, storedPayment } from './stored-events.ts'
import {
  BAD_SIGNATURE,
  DUPLICATE,
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

/** The requests and answers of the webhook endpoints. */
export const intakeChecks = {
  '4.2/payment': async (world) => {
    const body = payment()
    const headers = { 'user-agent': 'a shop', 'x-request-id': 'r-1' }
    expectResponse(await postPayment(body, headers), 200, PROCESSED)
    const event = await findEvent(world, 'payment', body['eventId'])
    expect(event.headers).toMatchObject({ 'user-agent': 'a shop', 'content-type': 'application/json' })
    expectResponse(await postPayment(await failingPayment()), 500, `Processing failed: ${FAILURE}`)
  },

  '4.2/order-status': async () => {
    const body = orderStatus()
    expectResponse(await postOrder(body, {}), 401, BAD_SIGNATURE)
    expectResponse(await postOrder(body, { 'x-signature': '0'.repeat(64) }), 401, BAD_SIGNATURE)
    const rules = ['PENDING', 'CONFIRMED', 'SHIPPED', 'OUT_FOR_DELIVERY', 'DELIVERED', 'CANCELLED', 'RETURNED']
    const message = `Validation failed: orderId is required; status must be one of ${rules.join(', ')}`
    expectResponse(await postOrder(orderStatus({ orderId: undefined, status: 'LOST' })), 400, message)
    expectResponse(await postOrder(body), 200, PROCESSED)
  },

  '4.2/provider-a': async () => {
    const payload = eventA()
    expectTextA(await postA(payload, undefined), 'refused')
    expectTextA(await postA(payload, signatureA(`${payload} `)), 'refused')
    expectTextA(await postA(payload, signatureA(payload)), 'accepted')
  },

  '4.2/provider-b': async () => {
    const payload = eventB()
    expectTextB(await postB(payload, undefined), 'refused')
    expectTextB(await postB(payload, signatureB(`${payload} `)), 'refused')
    const nameless = await postB(payload, signatureB(payload), '')
    const rule = 'must be 1 to 256 characters without control characters'
    expect([nameless.status, nameless.text]).toEqual([400, `Validation failed: x-github-event ${rule}`])
    expectTextB(await postB(payload, signatureB(payload)), 'accepted')
  },

  '4.2/rule-1': async () => {
    const body = payment({ status: 'FAILED' })
    expectResponse(await postPayment(body), 200, PROCESSED)
    expectResponse(await postPayment({ ...body, status: 'REFUNDED' }), 200, DUPLICATE)
    expect(await storedPayment(body['transactionId'])).toMatchObject({ status: 'FAILED' })
    const decisions = await decisionsOn(body['eventId'], 2)
    expect(decisions.map(({ decision }) => decision)).toEqual(['processed', 'duplicate'])
  },

  '4.2/rule-2': async (world) => {
    for (const status of ['COMPLETED', 'FAILED', 'REFUNDED', 'PENDING']) {
      const body = payment({ status })
      await postPayment(body)
      expect(await findEvent(world, 'payment', body['eventId']), status).toMatchObject({ eventType: 'PAYMENT' })
      const marked = status === 'PENDING' ? undefined : expect.objectContaining({ status, amount: '10.5' })
      expect(await storedPayment(body['transactionId']), status).toEqual(marked)
    }
  },

  '4.2/rule-3': async (world) => {
    const failing = await failingPayment()
    const { transactionId } = failing
    const before = await storedPayment(transactionId)
    await postPayment({ ...failing, status: 'REFUNDED', amount: 99, customerId: 'another' })
    expect(await findEvent(world, 'payment', failing.eventId)).toMatchObject({ status: 'FAILED' })
    expect(await storedPayment(transactionId)).toEqual(before)
    const refund = { ...failing, eventId: crypto.randomUUID(), orderId: before?.['orderId'], status: 'REFUNDED' }
    await postPayment(refund)
    expect(await findEvent(world, 'payment', refund.eventId)).toMatchObject({ status: 'PROCESSED' })
    expect(await storedPayment(transactionId)).toMatchObject({ status: 'REFUNDED' })
  },

  '4.2/rule-4': async (world) => {
    for (const [type, status] of [
      ['payment_intent.succeeded', 'COMPLETED'],
      ['payment_intent.payment_failed', 'FAILED'],
      ['payment_intent.created', undefined],
      ['customer.created', undefined],
    ] as const) {
      const payload = eventA(type)
      expectTextA(await postA(payload, signatureA(payload)), 'accepted', type)
      const { id, data } = JSON.parse(payload)
      expect((await storedPayment(data.object.id))?.['status'], type).toBe(status)
      const outcome = status === undefined ? 'no action' : null
      expect(await findEvent(world, 'stripe', id)).toMatchObject({ eventType: type, status: 'PROCESSED', outcome })
      expect(await decisionsOn(id), type).toMatchObject([{ decision: 'processed', eventType: type }])
    }
  },

  '4.2/rule-5': async (world) => {
    for (const [name, outcome, moves] of [
      ['push', 'push to refs/heads/main', ['RECEIVED', 'PROCESSING', 'PROCESSED']],
      ['pull_request', 'pull request #7 opened: main <- ', ['RECEIVED', 'PROCESSING', 'PROCESSED']],
      ['issues', 'no action', ['PROCESSED']],
    ] as const) {
      const payload = eventB()
      const delivery = crypto.randomUUID()
      expectTextB(await postB(payload, signatureB(payload), name, delivery), 'accepted', name)
      const event = await eventWhen(world, 'github', delivery, isProcessed)
      expect(event).toMatchObject({ eventType: name, outcome: expect.stringContaining(outcome) })
      expect(movesOf(event).map((move) => move.split(' ')[0])).toEqual(moves)
      // The worker writes its line after it has stored the move; a second hint is dropped, with a line of its own.
      const isProcessing = ({ decision }: { decision: string }) => decision === 'processed'
      await vi.waitUntil(async () => (await decisionsOn(delivery)).some(isProcessing), PATIENCE)
    }
  },
} satisfies Checks<'4.2'>
