import { describe, expect, it, vi } from 'vitest'
import type { BusMessage } from '../../../lib/messages/message.ts'
import { createBroker, createFlow, drained } from '../../../lib/stomp/broker.ts'
import { inProcessBus } from '../../support/fakes/bus.ts'
import { virtualTime } from '../../support/fakes/timers.ts'
import { recordingTransport } from '../../support/fakes/transport.ts'

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

async function waitingFor(bytesBuffered: number) {
  const time = virtualTime()
  const transport = recordingTransport()
  transport.bytesBuffered = bytesBuffered
  const abort = new AbortController()
  let isTaken = false
  void drained(transport, time.timers, abort.signal).then(() => {
    isTaken = true
  })
  const look = async (milliseconds = 0) => {
    time.pass(milliseconds)
    await new Promise(setImmediate)
    return isTaken
  }
  return { transport, abort, look }
}

it('64 KiB may be unsent while more is fetched', async () => {
  expect(await (await waitingFor(2 ** 16)).look()).toBe(true)
  expect(await (await waitingFor(2 ** 16 + 1)).look()).toBe(false)
})

it('is checked again every 20 milliseconds until the client has read enough', async () => {
  const { transport, look } = await waitingFor(2 ** 20)
  expect(await look(20)).toBe(false)
  transport.bytesBuffered = 0
  expect(await look(19)).toBe(false)
  expect(await look(1)).toBe(true)
})

it('ends when no caller waits any more', async () => {
  const { abort, look } = await waitingFor(2 ** 20)
  abort.abort()
  expect(await look(20)).toBe(true)
})

/** A flow whose messages go out one by one, when the test says so. */
function setUp() {
  const transport = recordingTransport()
  const ends: ((cause?: Error) => void)[] = []
  let resumed = 0
  const broker = {
    publish: () => new Promise<void>((resolve, reject) => ends.push((cause) => (cause ? reject(cause) : resolve()))),
  }
  const flow = createFlow(broker, transport, () => (resumed += 1))
  const publish = (kib: number) =>
    flow
      .publish([{ destination: '/a', headers: {}, body: Buffer.alloc(kib * 1024) }])
      .catch((cause: Error) => cause.message)
  return { transport, flow, publish, ends, resumed: () => resumed }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('a client with unsent messages', () => {
  it('is paused above 256 KiB, and read again below 64 KiB', async () => {
    const { transport, flow, publish, ends, resumed } = setUp()
    for (let sent = 0; sent < 8; sent += 1) void publish(31)
    expect([transport.isPaused, flow.isPaused]).toEqual([false, false])
    void publish(31)
    expect([transport.isPaused, flow.isPaused]).toEqual([true, true])
    for (const end of ends.splice(0, 6)) end()
    await turn()
    expect([transport.isPaused, resumed()]).toEqual([true, 0])
    for (const end of ends.splice(0, 1)) end()
    await turn()
    expect([transport.isPaused, flow.isPaused, resumed()]).toEqual([false, false, 1])
  })

  it('is read again after a failure, and receives the cause', async () => {
    const { transport, publish, ends } = setUp()
    const failed = publish(300)
    expect(transport.isPaused).toBe(true)
    ends[0]?.(new Error('away'))
    expect(await failed).toBe('away')
    expect(transport.isPaused).toBe(false)
  })
})
