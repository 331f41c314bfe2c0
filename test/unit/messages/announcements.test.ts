import { expect, it } from 'vitest'
import { messageOf } from '../../../lib/messages/announcements.ts'
import { deadDelivery } from '../../../lib/webhooks/live/announcement.ts'
import { START } from '../../support/fakes/clock.ts'

const AT = '2026-01-02T03:04:05.000'
const NOTICE = { type: 'retry-finished', source: 'stripe', eventId: 'evt_1', status: 'FAILED', at: AT } as const

const saidIn = ({ body }: { readonly body: Uint8Array }) => JSON.parse(Buffer.from(body).toString())

it('a delivery that is given up is told to the subscribers of deliveries', () => {
  const message = messageOf(deadDelivery({ source: 'stripe', eventId: 'evt_1', destination: 'crm' }, 'HTTP 503', START))
  expect(message).toMatchObject({ destination: '/topic/deliveries', headers: { 'content-type': 'application/json' } })
  expect(message).not.toHaveProperty('user')
  expect(saidIn(message)).toEqual({
    source: 'stripe',
    eventId: 'evt_1',
    destination: 'crm',
    status: 'DEAD',
    answer: 'HTTP 503',
    at: AT,
  })
})

it('the end of an order is sent to the account that gave it, without its id in the message', () => {
  const message = messageOf({ kind: 'order', orderedBy: 'id-1', notice: NOTICE })
  expect(message).toMatchObject({ destination: '/user/queue/notices', user: 'id-1' })
  expect(saidIn(message)).toEqual(NOTICE)
})
