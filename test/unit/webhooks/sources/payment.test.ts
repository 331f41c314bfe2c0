import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../../lib/errors.ts'
import { generic } from '../../../../lib/webhooks/providers/generic.ts'
import { paymentSource } from '../../../../lib/webhooks/sources/payment.ts'
import { deliveryOf, PAYMENT } from '../../../support/fakes/webhooks.ts'

function read(body: string | object) {
  return paymentSource.read(deliveryOf(body))
}

function rulesOf(changes: object): readonly string[] {
  try {
    read({ ...PAYMENT, ...changes })
  } catch (error) {
    if (error instanceof ServiceError && error.is('VALIDATION_FAILED')) {
      return error.details.validationErrors.map(({ field, message }) => `${field} ${message}`)
    }
    throw error
  }
  return []
}

describe('a payment payload', () => {
  it('results in an event of type PAYMENT and its effect', () => {
    const { identity, plan } = read(PAYMENT)
    expect(identity).toMatchObject({ rule: 'signed-id', eventId: 'event-1', eventType: 'PAYMENT' })
    expect(plan()).toEqual({
      payment: {
        transactionId: 'transaction-1',
        orderId: 'order-1',
        status: 'COMPLETED',
        amount: '10.5',
        currency: 'EUR',
        customerId: 'customer-1',
      },
    })
  })

  it('W28 has the source payment and the generic scheme, whatever its own source field contains', () => {
    expect(paymentSource).toMatchObject({ name: 'payment', scheme: generic })
    expect(read({ ...PAYMENT, source: 'stripe' }).identity).toMatchObject({ eventId: 'event-1', eventType: 'PAYMENT' })
  })

  it('requires only transactionId, orderId, status and currency', () => {
    const { identity, plan } = read({ transactionId: 't', orderId: 'o', status: 'FAILED', currency: 'EUR' })
    expect(identity).toMatchObject({ rule: 'window', eventId: undefined, horizonSeconds: 86_400 })
    expect(plan()).toEqual({ payment: { transactionId: 't', orderId: 'o', status: 'FAILED', currency: 'EUR' } })
  })

  it.each(['PENDING', 'PROCESSING', 'CANCELLED'])('with status %s needs no action', (status) => {
    expect(read({ ...PAYMENT, status }).plan()).toEqual({ outcome: 'no action' })
  })

  it.each([
    ['10.00', '10.00'],
    ['0.01', '0.01'],
    ['1e2', '100'],
    ['12345678901234567890.12', '12345678901234567890.12'],
  ])('keeps the amount %s from its source text, as a number and as a text', (text, amount) => {
    const json = JSON.stringify({ ...PAYMENT, amount: undefined }).slice(0, -1)
    expect(read(`${json},"amount":${text}}`).plan().payment?.amount).toBe(amount)
    expect(read(`${json},"amount":"${text}"}`).plan().payment?.amount).toBe(amount)
  })

  const IDENTIFIER = 'must be 1 to 256 characters without control characters'
  const AMOUNT = 'must be a decimal number of at least 0.01 with at most 38 digits'
  const STATUS = 'must be one of COMPLETED, FAILED, REFUNDED, PENDING, PROCESSING, CANCELLED'

  it.each<[object, string]>([
    [{ transactionId: undefined }, 'transactionId is required'],
    [{ transactionId: 1 }, 'transactionId must be a text'],
    [{ transactionId: '' }, `transactionId ${IDENTIFIER}`],
    [{ transactionId: 'a'.repeat(257) }, `transactionId ${IDENTIFIER}`],
    [{ transactionId: 'a\u0000' }, `transactionId ${IDENTIFIER}`],
    [{ orderId: undefined }, 'orderId is required'],
    [{ status: undefined }, `status ${STATUS}`],
    [{ status: 'completed' }, `status ${STATUS}`],
    [{ status: 'constructor' }, `status ${STATUS}`],
    [{ amount: 0 }, `amount ${AMOUNT}`],
    [{ amount: 0.009 }, `amount ${AMOUNT}`],
    [{ amount: 'NaN' }, `amount ${AMOUNT}`],
    [{ amount: { text: '10' } }, `amount ${AMOUNT}`],
    [{ currency: undefined }, 'currency is required'],
    [{ currency: ' ' }, 'currency must not be blank'],
    [{ currency: '\u00a0' }, 'currency must not be blank'],
    [{ customerId: 1 }, 'customerId must be a text'],
    [{ eventId: 1 }, 'eventId must be a text'],
    [{ timestamp: 7 }, 'timestamp must be a text'],
    [{ timestamp: '2026-01-02T03:04:05+01:00' }, 'timestamp must be a local date-time, YYYY-MM-DDTHH:mm:ss'],
  ])('is refused with %j: %s', (changes, rule) => {
    expect(rulesOf(changes)).toEqual([rule])
  })

  it.each([{ amount: null }, { customerId: null }, { eventId: '' }, { more: { and: ['more'] } }])(
    'is accepted with %j',
    (changes) => {
      expect(rulesOf(changes)).toEqual([])
    },
  )

  it('is refused with every violated rule at once', () => {
    expect(rulesOf({ transactionId: null, amount: 0, currency: ' ' })).toHaveLength(3)
  })
})
