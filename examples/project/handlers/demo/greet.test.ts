import { testContext, testEvent } from 'gatehouse/testing'
import { expect, it } from 'vitest'
import greet from './greet.ts'

it('greets once for each event', async () => {
  const context = testContext()
  await greet(testEvent({ eventId: 'g-1', type: 'greeting', json: { id: 'g-1', type: 'greeting' } }), context)
  expect(context.lines).toEqual([{ level: 'info', message: 'greeted', eventId: 'g-1' }])
})

it('fails for what is no greeting, so that Gatehouse tries again', () => {
  expect(() => greet(testEvent({ json: { type: 'other' } }), testContext())).toThrow('no greeting')
})
