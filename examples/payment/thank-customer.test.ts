import { testContext, testEvent } from 'gatehouse/testing'
import { expect, it } from 'vitest'
import thankCustomer from './thank-customer.ts'

it('thanks for a received payment', async () => {
  const context = testContext({ idempotencyKey: 'gh_1' })
  await thankCustomer(testEvent({ json: { orderId: 'o-1', status: 'COMPLETED' } }), context)
  expect(context.lines).toEqual([
    { level: 'info', message: 'the customer is thanked', order: 'o-1', idempotencyKey: 'gh_1' },
  ])
})

it.each(['FAILED', 'REFUNDED'])('does not thank for a payment that is %s', async (status) => {
  const context = testContext()
  await thankCustomer(testEvent({ json: { orderId: 'o-1', status } }), context)
  expect(context.lines).toEqual([])
})
