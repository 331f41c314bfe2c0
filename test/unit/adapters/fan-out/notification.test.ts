import { describe, expect, it } from 'vitest'
import { readNotification } from '../../../../lib/adapters/fan-out/notification.ts'
import { deadDelivery } from '../../../../lib/webhooks/live/dead-delivery.ts'
import type { OrderEnd } from '../../../../lib/webhooks/live/order-end.ts'
import { START } from '../../../support/fakes/clock.ts'

const DEATH = deadDelivery({ source: 'stripe', eventId: 'evt_1', destination: 'crm' }, 'HTTP 503', START)

const AT = '2026-01-02T03:04:05.000'
const EVENT = { source: 'stripe', eventId: 'evt_1' }
const RETRY: OrderEnd = {
  kind: 'order',
  orderedBy: 'id-1',
  notice: { type: 'retry-finished', ...EVENT, status: 'PROCESSED', at: AT },
}
const REPLAY: OrderEnd = {
  kind: 'order',
  orderedBy: 'id-1',
  notice: { type: 'replay-finished', replayId: 'r-1', state: 'DONE', matched: 3, done: 2, failed: 1, at: AT },
}

describe('a message from a queue', () => {
  it('is a delivery that was given up', () => {
    expect(readNotification(JSON.stringify(DEATH))).toEqual({ kind: 'announcement', announcement: DEATH })
  })

  it.each([RETRY, REPLAY])('is the end of an ordered run: $notice.type', (announcement) => {
    expect(readNotification(JSON.stringify(announcement))).toEqual({ kind: 'announcement', announcement })
  })

  it('may have unknown fields, so that instances of two releases can run', () => {
    expect(readNotification(JSON.stringify({ ...DEATH, later: 1 }))).toEqual({
      kind: 'announcement',
      announcement: DEATH,
    })
  })

  it.each([
    ['no JSON', '{'],
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['a delivery without a time', JSON.stringify({ ...DEATH, at: undefined })],
    ['a delivery that was not given up', JSON.stringify({ ...DEATH, status: 'DELIVERED' })],
    ['the end of an unordered run', JSON.stringify({ ...RETRY, orderedBy: undefined })],
    ['the end of an unknown kind', JSON.stringify({ ...RETRY, notice: { type: 'token-expiring' } })],
  ])('Q12 is ignored: %s', (_, text) => {
    expect(readNotification(text)).toBeUndefined()
  })
})
