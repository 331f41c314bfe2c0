import { expect, it } from 'vitest'
import { announcing } from '../../../lib/stomp/announcements.ts'
import { type BusMessage, inProcessBus } from '../../../lib/stomp/bus.ts'
import type { Announcement } from '../../../lib/webhooks/live/announcement.ts'
import { deadDelivery } from '../../../lib/webhooks/live/dead-delivery.ts'
import { START } from '../../support/fakes/clock.ts'

const DEATH = deadDelivery({ source: 'stripe', eventId: 'evt_1', destination: 'crm' }, 'HTTP 503', START)
const AT = '2026-01-02T03:04:05.000'
const NOTICE = { type: 'retry-finished', source: 'stripe', eventId: 'evt_1', status: 'FAILED', at: AT } as const
const SENT: BusMessage = { destination: '/topic/public/a', headers: {}, body: Buffer.from('hello') }

function setUp() {
  const listeners = new Set<(announcement: Announcement) => void>()
  const onAnnouncement = (listener: (announcement: Announcement) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const bus = announcing({ bus: inProcessBus(), onAnnouncement })
  const heard: BusMessage[] = []
  const detach = bus.attach((message) => void heard.push(message))
  const announce = (announcement: Announcement) => listeners.forEach((listener) => void listener(announcement))
  return { bus, heard, detach, announce }
}

const saidIn = (message: BusMessage | undefined) => JSON.parse(Buffer.from(message?.body ?? []).toString())

it('the bus carries messages of clients, and announcements of deliveries that are given up', async () => {
  const { bus, heard, announce } = setUp()
  await bus.publish([SENT])
  announce(DEATH)
  expect(heard.map(({ destination }) => destination)).toEqual(['/topic/public/a', '/topic/deliveries'])
  expect(saidIn(heard[1])).toEqual({
    source: 'stripe',
    eventId: 'evt_1',
    destination: 'crm',
    status: 'DEAD',
    answer: 'HTTP 503',
    at: AT,
  })
})

it('the end of an order is sent to the account that gave it, without its id in the message', () => {
  const { heard, announce } = setUp()
  announce({ kind: 'order', orderedBy: 'id-1', notice: NOTICE })
  expect(heard).toMatchObject([{ destination: '/user/queue/notices', user: 'id-1' }])
  expect(saidIn(heard[0])).toEqual(NOTICE)
})

it('a detached listener receives neither', async () => {
  const { bus, heard, detach, announce } = setUp()
  detach()
  await bus.publish([SENT])
  announce(DEATH)
  expect(heard).toEqual([])
})
