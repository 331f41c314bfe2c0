import { describe, expect, it, vi } from 'vitest'
import { type BusMessage, inProcessBus } from '../../../lib/messages/bus.ts'
import { createBroker } from '../../../lib/stomp/broker.ts'

const message = (destination: string, user?: string): BusMessage => ({
  destination,
  ...(user === undefined ? {} : { user }),
  headers: {},
  body: new Uint8Array(0),
})

describe('the broker', () => {
  it('delivers to the subscribers in every process of the bus', async () => {
    const bus = inProcessBus()
    const deliver = vi.fn()
    for (const broker of [createBroker(bus), createBroker(bus)]) broker.subscribe({ destination: '/a' }, deliver)
    await createBroker(bus).publish([message('/a')])
    await bus.publish([message('/b')])
    expect(deliver.mock.calls).toEqual([[message('/a')], [message('/a')]])
  })

  it('T05 separates the topics of users from each other and from the public ones', async () => {
    const broker = createBroker(inProcessBus())
    const heard: string[] = []
    for (const user of ['alice', 'alice\nbob', 'undefined', undefined]) {
      const topic = user === undefined ? { destination: '/q' } : { destination: '/q', user }
      broker.subscribe(topic, () => heard.push(user ?? 'everybody'))
    }
    await broker.publish([message('/q', 'alice')])
    await broker.publish([message('/q')])
    expect(heard).toEqual(['alice', 'everybody'])
  })

  it('ends only one of two equal subscriptions', async () => {
    const broker = createBroker(inProcessBus())
    const deliver = vi.fn()
    const cancel = broker.subscribe({ destination: '/a' }, deliver)
    broker.subscribe({ destination: '/a' }, deliver)
    cancel()
    cancel()
    await broker.publish([message('/a')])
    expect(deliver).toHaveBeenCalledOnce()
  })

  it('joins the bus for each subscription, and leaves with it', () => {
    const joined: string[] = []
    const join = () => {
      joined.push('in')
      return () => void joined.push('out')
    }
    const broker = createBroker({ ...inProcessBus(), join })
    expect(joined).toEqual([])
    const cancels = ['/a', '/b'].map((destination) => broker.subscribe({ destination }, () => {}))
    for (const cancel of cancels) cancel()
    expect(joined).toEqual(['in', 'in', 'out', 'out'])
  })

  it('delivers nothing after it leaves the bus', async () => {
    const bus = inProcessBus()
    const broker = createBroker(bus)
    const deliver = vi.fn()
    broker.subscribe({ destination: '/a' }, deliver)
    broker.close()
    await bus.publish([message('/a')])
    expect(deliver).not.toHaveBeenCalled()
  })
})
