import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../../lib/errors.ts'
import { generic } from '../../../../lib/webhooks/providers/generic.ts'
import { orderStatusSource } from '../../../../lib/webhooks/sources/order-status.ts'
import { deliveryOf } from '../../../support/fakes/webhooks.ts'

/** A whole payload of an order status (webhooks-33). */
const ORDER = {
  eventId: 'event-1',
  eventType: 'order',
  timestamp: '2026-01-02T03:04:05.6',
  source: 'shop',
  orderId: 'order-1',
  status: 'SHIPPED',
  trackingNumber: '1Z999AA10123456784',
  carrier: 'UPS',
  estimatedDelivery: '2026-01-09',
}

function read(body: string | Uint8Array | object) {
  return orderStatusSource.read(deliveryOf(body))
}

function rulesOf(body: string | Uint8Array | object): readonly string[] {
  try {
    read(body)
  } catch (error) {
    if (error instanceof ServiceError && error.is('VALIDATION_FAILED')) {
      return error.details.validationErrors.map(({ field, message }) => `${field} ${message}`)
    }
    throw error
  }
  return []
}

describe('an order-status payload', () => {
  it('results in an event of type ORDER_STATUS and its effect', () => {
    const { identity, plan } = read(ORDER)
    expect(identity).toMatchObject({ rule: 'signed-id', eventId: 'event-1', eventType: 'ORDER_STATUS' })
    expect(plan()).toEqual({
      order: {
        orderId: 'order-1',
        status: 'SHIPPED',
        trackingNumber: '1Z999AA10123456784',
        carrier: 'UPS',
        estimatedDelivery: '2026-01-09',
        timestamp: '2026-01-02T03:04:05.600000000',
      },
    })
  })

  it('W28 has the source order-status and the generic scheme, whatever its own source field contains', () => {
    expect(orderStatusSource).toMatchObject({ name: 'order-status', scheme: generic })
    expect(read({ ...ORDER, source: 'stripe' }).identity.eventId).toBe('event-1')
  })

  it('requires only orderId and status', () => {
    const { identity, plan } = read({ orderId: 'o', status: 'PENDING' })
    expect(identity).toMatchObject({ rule: 'window', eventId: undefined, horizonSeconds: 86_400 })
    expect(plan()).toEqual({ order: { orderId: 'o', status: 'PENDING' } })
  })

  it.each(['PENDING', 'CONFIRMED', 'SHIPPED', 'OUT_FOR_DELIVERY', 'DELIVERED', 'CANCELLED', 'RETURNED'])(
    'may have the status %s',
    (status) => {
      expect(read({ ...ORDER, status }).plan().order?.status).toBe(status)
    },
  )

  const IDENTIFIER = 'must be 1 to 256 characters without control characters'
  const STATUS = 'status must be one of PENDING, CONFIRMED, SHIPPED, OUT_FOR_DELIVERY, DELIVERED, CANCELLED, RETURNED'
  const DATE = 'estimatedDelivery must be a date, YYYY-MM-DD'

  it.each<[object, string]>([
    [{ orderId: undefined }, 'orderId is required'],
    [{ orderId: 7 }, 'orderId must be a text'],
    [{ orderId: '' }, `orderId ${IDENTIFIER}`],
    [{ orderId: 'a'.repeat(257) }, `orderId ${IDENTIFIER}`],
    [{ status: undefined }, STATUS],
    [{ status: 'shipped' }, STATUS],
    [{ trackingNumber: 1 }, 'trackingNumber must be a text'],
    [{ carrier: 'a'.repeat(257) }, `carrier ${IDENTIFIER}`],
    [{ estimatedDelivery: '2026-02-30' }, DATE],
    [{ estimatedDelivery: '2026-1-9' }, DATE],
    [{ estimatedDelivery: '2026-01-09T00:00:00' }, DATE],
    [{ estimatedDelivery: 20260109 }, 'estimatedDelivery must be a text'],
    [{ timestamp: '2026-01-02T03:04:05+01:00' }, 'timestamp must be a local date-time, YYYY-MM-DDTHH:mm:ss'],
  ])('is refused with %j: %s', (changes, rule) => {
    expect(rulesOf({ ...ORDER, ...changes })).toEqual([rule])
  })

  it.each([
    { trackingNumber: null, carrier: null, estimatedDelivery: null, timestamp: null, eventId: null },
    { estimatedDelivery: '2028-02-29' },
    { carrier: 'Die Post 📦' },
    { more: { and: ['more'] } },
  ])('is accepted with %j', (changes) => {
    expect(rulesOf({ ...ORDER, ...changes })).toEqual([])
  })

  it.each<[string, string | Uint8Array | object, string]>([
    ['no JSON', '{', 'body must be JSON'],
    ['a list', [], 'body must be a JSON object'],
    ['bytes that are not UTF-8', Buffer.from('{"orderId":"\xff","status":"SHIPPED"}', 'latin1'), 'body must be UTF-8'],
  ])('is refused as a whole: %s', (_, body, rule) => {
    expect(rulesOf(body)).toEqual([rule])
  })
})
