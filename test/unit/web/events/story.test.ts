import { describe, expect, it } from 'vitest'
import { effectsOf, storyOf } from '../../../../web/events/story.ts'
import { detail, move } from './details.ts'

const CONFLICT = 'transaction belongs to another order or currency'
const DUE = '2026-01-02T04:00:00.000'

describe('the story of an event', () => {
  it('that fails and is retried contains the reason and advice', () => {
    const { tone, title, text } = storyOf(detail({ errorMessage: CONFLICT, nextRetryAt: DUE }))
    expect([tone, title]).toEqual(['wait', 'The payment belongs to another order or currency.'])
    expect(text).toBe(
      'A payment with this transaction id is stored with another order or currency. Nothing was changed. The next attempt begins by itself. Compare this event with the stored payment; a retry fails until they agree.',
    )
  })

  it('without an attempt left states this', () => {
    const { tone, text } = storyOf(detail({ errorMessage: 'unexpected error', dead: true }))
    expect(tone).toBe('bad')
    expect(text).toMatch(/log of the service.*No attempt is left\. Correct the handler/)
  })

  it('that is unreadable does not mention a handler', () => {
    const reason = 'orderId is required'
    const history = [move(0, 'FAILED', 'intake', reason)]
    const { title, text } = storyOf(detail({ errorMessage: reason, dead: true, attempts: 0, history }))
    expect(title).toBe('The payload cannot be read.')
    expect(text).toContain(reason)
  })

  it('of another failure contains the text of its handler', () => {
    expect(storyOf(detail({ errorMessage: 'out of stock', nextRetryAt: DUE })).text).toContain('out of stock')
  })

  it.each([
    [{ status: 'PROCESSED', attempts: 0 }, 'ok', 'The first attempt succeeded.'],
    [{ status: 'PROCESSED', attempts: 2 }, 'ok', 'Retry 2 succeeded.'],
    [{ status: 'PROCESSED', outcome: 'superseded' }, 'note', 'The stored state is already further.'],
    [{ status: 'PROCESSED', outcome: 'no action' }, 'note', 'There is nothing to do.'],
    [{ status: 'PROCESSED', attempts: 0, outcome: 'push to main' }, 'ok', 'Outcome: push to main.'],
    [{ status: 'RECEIVED' }, 'run', 'Its first attempt begins'],
    [{ status: 'RETRY' }, 'run', 'It ends'],
  ] as const)('describes %j', (changes, tone, words) => {
    const story = storyOf(detail(changes))
    expect(story.tone).toBe(tone)
    expect(story.text).toContain(words)
  })
})

it.each([
  ['payment', 'PAYMENT', '{"transactionId":"tx-1","orderId":"order-1"}', 'tx-1', 'order-1'],
  ['order-status', 'ORDER_STATUS', '{"orderId":"order-1"}', undefined, 'order-1'],
  [
    'stripe',
    'payment_intent.succeeded',
    '{"data":{"object":{"id":"pi_1","metadata":{"orderId":"order-1"}}}}',
    'pi_1',
    'order-1',
  ],
  ['shopify', 'orders/paid', '{"orderId":"order-1"}', undefined, undefined],
  ['payment', 'PAYMENT', 'no json', undefined, undefined],
])('the payment and the order of an event show %s %s in %s', (source, eventType, payload, payment, order) => {
  expect(effectsOf(detail({ source, eventType, payload }))).toEqual({ payment, order })
})
