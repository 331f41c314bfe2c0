import { describe, expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/stripe.ts'
import { deliveryOf } from '../../../support/fakes/webhooks.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'

const HEX = 'a1'.repeat(32)

describe('the Stripe-Signature header', () => {
  const read = (header: string | undefined) =>
    readingOf(provider.scheme, signedCall({ 'stripe-signature': header }, '{}'))

  it.each([
    ['the signature first', `v1=${HEX},t=1`, [HEX]],
    ['elements of other schemes', `t=1,v0=x,v1=${HEX},v2=`, [HEX]],
    ['a malformed signature and a valid one', `t=1,v1=x,v1=${HEX}`, [HEX]],
  ])('contains a timestamp and signatures: %s', (_, header, signatures) => {
    expect(read(header)).toEqual({ signatures, signedAt: 1000, signed: '1.{}' })
  })
})

const INTENT = {
  id: 'pi_1',
  object: 'payment_intent',
  amount: 1099,
  amount_received: 1000,
  currency: 'usd',
  customer: 'cus_1',
  metadata: { orderId: 'order-1' },
}

function eventWith(intent: object, type = 'payment_intent.succeeded') {
  return { id: 'evt_1', object: 'event', type, data: { object: { ...INTENT, ...intent } } }
}

function planOf(body: string | object) {
  return provider.read(deliveryOf(body)).plan()
}

describe('a Stripe event', () => {
  it.each([
    ['without a type', { id: 'evt_1' }, { eventId: 'evt_1', eventType: 'UNKNOWN' }],
    ['with a type that is not text', { id: 'evt_1', type: 1 }, { eventId: 'evt_1', eventType: 'UNKNOWN' }],
    ['without an id', { type: 'x' }, { eventId: undefined, eventType: 'x' }],
    ['with an id that is a number', { id: 1, type: 'x' }, { eventId: undefined, hasUnusableId: true }],
  ])('has an identity %s', (_, body, identity) => {
    expect(provider.read(deliveryOf(body)).identity).toMatchObject(identity)
  })

  it.each([
    ['no object', [], 'body must be a JSON object'],
    ['a number', '1', 'body must be a JSON object'],
  ])('that is unreadable shows the reason: %s', (_, body, rule) => {
    expect(provider.read(deliveryOf(body)).unreadable).toBe(`Validation failed: ${rule}`)
  })

  it.each(['charge.succeeded', 'payment_intent.created', 'PAYMENT_INTENT.SUCCEEDED', 'constructor', '__proto__'])(
    'of another type is acknowledged without an action: %s',
    (type) => {
      expect(planOf(eventWith({}, type))).toEqual({ outcome: 'no action' })
    },
  )
})

describe('the Stripe effect', () => {
  it('maps payment_intent.succeeded to a completed payment with amount_received', () => {
    expect(planOf(eventWith({}))).toEqual({
      payment: {
        transactionId: 'pi_1',
        orderId: 'order-1',
        status: 'COMPLETED',
        currency: 'USD',
        amount: '10.00',
        customerId: 'cus_1',
      },
    })
  })

  it('maps payment_intent.payment_failed to a failed payment', () => {
    expect(planOf(eventWith({}, 'payment_intent.payment_failed')).payment?.status).toBe('FAILED')
  })

  it.each([
    ['two decimals', { currency: 'usd', amount_received: 1099 }, '10.99'],
    ['no decimals of JPY', { currency: 'jpy', amount_received: 1099 }, '1099'],
    ['three decimals of KWD', { currency: 'kwd', amount_received: 1099 }, '1.099'],
    ['amount if amount_received is missing', { amount_received: undefined }, '10.99'],
    ['amount if amount_received is 0', { amount_received: 0 }, '10.99'],
    ['amount_received if amount is missing', { amount: undefined }, '10.00'],
  ])('has the amount in minor units: %s', (_, intent, amount) => {
    expect(planOf(eventWith(intent)).payment?.amount).toBe(amount)
  })

  it('keeps every digit of a large amount', () => {
    const body = JSON.stringify(eventWith({})).replace(
      '"amount_received":1000',
      '"amount_received":12345678901234567890',
    )
    expect(planOf(body).payment?.amount).toBe('123456789012345678.90')
  })

  it.each([
    ['no orderId', { metadata: {} }, { orderId: undefined }],
    ['an orderId that is not text', { metadata: { orderId: 1 } }, { orderId: undefined }],
    ['no customer', { customer: null }, { customerId: undefined }],
    ['an invalid amount', { amount_received: undefined, amount: 0 }, { amount: undefined }],
  ])('may lack optional values: %s', (_, intent, part) => {
    expect(planOf(eventWith(intent)).payment).toMatchObject({ transactionId: 'pi_1', ...part })
  })

  it.each([
    ['no id', { id: undefined }],
    ['no currency', { currency: undefined }],
    ['no amount', { amount: undefined, amount_received: undefined }],
    ['an amount that is text', { amount: '10', amount_received: undefined }],
  ])('does not exist without a payment intent: %s', (_, intent) => {
    expect(planOf(eventWith(intent))).toEqual({ outcome: 'no payment intent' })
  })

  it.each(['euro', 'e', '', '€€€'])('does not exist in an unknown currency: %j', (currency) => {
    expect(planOf(eventWith({ currency }))).toEqual({ outcome: 'payment intent in an unknown currency' })
  })

  it.each([
    ['no data', undefined],
    ['no object', {}],
    ['an object that is text', { object: 'pi_1' }],
  ])('does not exist with %s', (_, data) => {
    expect(planOf({ id: 'evt_1', type: 'payment_intent.succeeded', data })).toEqual({ outcome: 'no payment intent' })
  })
})
