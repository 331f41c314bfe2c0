import { Buffer } from 'node:buffer'
import { expect, it } from 'vitest'
import thankCustomer, { on } from '../../../examples/payment/thank-customer.ts'
import type { HandlerContext, HandlerEvent } from '../../../lib/deliver/handler.ts'

/** What the handler logs of a payment. */
function logged(json: object): readonly string[] {
  const body = Buffer.from(JSON.stringify(json))
  const event: HandlerEvent = {
    source: 'payment',
    eventId: 'p-1',
    type: 'PAYMENT',
    receivedAt: new Date('2026-11-23T09:00:00Z'),
    attempt: 1,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    replayId: undefined,
    headers: { 'content-type': 'application/json' },
    proof: { level: 'body', key: 'payment#1' },
    body,
    text: body.toString(),
    json,
  }
  const lines: string[] = []
  const log = { info: (message: string) => lines.push(message), warn() {}, error() {} }
  const { signal } = new AbortController()
  const context: HandlerContext = { signal, log, secret: () => '', idempotencyKey: 'gh_1' }
  void thankCustomer(event, context)
  return lines
}

it('handles payments', () => {
  expect(on).toEqual(['PAYMENT'])
})

it('sends thanks for a received payment', () => {
  expect(logged({ orderId: 'o-1', status: 'COMPLETED' })).toEqual(['the customer is thanked'])
})

it.each(['FAILED', 'REFUNDED'])('sends no thanks for a payment that is %s', (status) => {
  expect(logged({ orderId: 'o-1', status })).toEqual([])
})
