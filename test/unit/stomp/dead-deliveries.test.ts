import { expect, it } from 'vitest'
import { type BusMessage, inProcessBus } from '../../../lib/stomp/bus.ts'
import { tellingDeaths } from '../../../lib/stomp/dead-deliveries.ts'
import { type DeadDelivery, deadDelivery } from '../../../lib/webhooks/live/dead-delivery.ts'
import { START } from '../../support/fakes/clock.ts'

const DEATH = deadDelivery({ source: 'stripe', eventId: 'evt_1', destination: 'crm' }, 'HTTP 503', START)
const SENT: BusMessage = { destination: '/topic/public/a', headers: {}, body: Buffer.from('hello') }

function setUp() {
  const listeners = new Set<(delivery: DeadDelivery) => void>()
  const onDeath = (listener: (delivery: DeadDelivery) => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const bus = tellingDeaths({ bus: inProcessBus(), onDeath })
  const heard: BusMessage[] = []
  const detach = bus.attach((message) => void heard.push(message))
  return { bus, heard, detach, die: () => listeners.forEach((listener) => void listener(DEATH)) }
}

it('the bus carries what clients send, and what the server says of deliveries that are given up', async () => {
  const { bus, heard, die } = setUp()
  await bus.publish([SENT])
  die()
  expect(heard.map(({ destination }) => destination)).toEqual(['/topic/public/a', '/topic/deliveries'])
  expect(JSON.parse(Buffer.from(heard[1]?.body ?? []).toString())).toEqual({
    source: 'stripe',
    eventId: 'evt_1',
    destination: 'crm',
    status: 'DEAD',
    answer: 'HTTP 503',
    at: '2026-01-02T03:04:05.000',
  })
})

it('who detached hears neither', async () => {
  const { bus, heard, detach, die } = setUp()
  detach()
  await bus.publish([SENT])
  die()
  expect(heard).toEqual([])
})
