import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type BusMessage, type EventBus, inProcessBus } from '../../lib/stomp/bus.ts'
import { emulatedEngine, fanOutInstance } from '../support/fan-out.ts'

interface Buses {
  readonly sender: EventBus
  /** The same bus in another place. */
  readonly other: EventBus
  stop(): Promise<void>
}

async function inProcess(): Promise<Buses> {
  const bus = inProcessBus()
  return { sender: bus, other: bus, stop: async () => {} }
}

async function overSns(): Promise<Buses> {
  const engine = await emulatedEngine()
  await engine.start()
  await engine.makeTopics()
  const [sender, other] = [fanOutInstance(engine.topics).fanOut, fanOutInstance(engine.topics).fanOut]
  await Promise.all([sender.start(0), other.start(0)])
  await vi.waitFor(async () => expect(await engine.subscriptions()).toBe(4), 20_000)
  return {
    sender: sender.bus,
    other: other.bus,
    async stop() {
      await Promise.all([sender.stop(), other.stop()])
      await engine.stop()
    },
  }
}

const MESSAGE: BusMessage = {
  destination: '/topic/public/a',
  headers: { 'content-type': 'text/plain', 'x.strange': '\u0000 \uffff \ud83d\ude00 "\u2028' },
  body: Uint8Array.of(0, 255, 10, 13),
}

describe.each([
  ['in one process', inProcess],
  ['SNS and a queue for each instance', overSns],
])('an event bus: %s', (_, start) => {
  let buses: Buses
  let heard: BusMessage[][]

  beforeAll(async () => {
    buses = await start()
    for (const [index, bus] of [buses.sender, buses.other].entries())
      bus.attach((message) => heard[index]?.push(message))
  })
  beforeEach(() => {
    heard = [[], []]
  })
  afterAll(() => buses.stop())

  /** What the sender's own listener and the other one heard, once nothing is under way any more. */
  async function afterAllIsHeard(): Promise<readonly (readonly BusMessage[])[]> {
    const last = crypto.randomUUID()
    await buses.sender.publish([{ destination: last, headers: {}, body: new Uint8Array() }])
    const isLast = ({ destination }: BusMessage) => destination === last
    await vi.waitFor(() => expect(heard.map((messages) => messages.some(isLast))).toEqual([true, true]), 20_000)
    return heard.map((messages) =>
      messages
        .filter((message) => !isLast(message))
        .map(({ body, ...rest }) => ({ ...rest, body: Uint8Array.from(body) })),
    )
  }

  it('delivers a message to its sender and to the others, as it was published', async () => {
    await buses.sender.publish([MESSAGE])
    expect(await afterAllIsHeard()).toEqual([[MESSAGE], [MESSAGE]])
  })

  it('names the recipient of a message', async () => {
    const message = { ...MESSAGE, user: 'zoë' }
    await buses.sender.publish([message])
    expect(await afterAllIsHeard()).toEqual([[message], [message]])
  })

  it('delivers each message once, including equal ones', async () => {
    await Promise.all(Array.from({ length: 25 }, () => buses.sender.publish([MESSAGE])))
    expect((await afterAllIsHeard()).map(({ length }) => length)).toEqual([25, 25])
  })

  it('delivers 64 KiB', async () => {
    const message = { ...MESSAGE, body: new Uint8Array(65_536).fill(200) }
    await buses.sender.publish([message])
    expect(await afterAllIsHeard()).toEqual([[message], [message]])
  })

  it('delivers nothing to a detached listener', async () => {
    const late: BusMessage[] = []
    const detach = buses.other.attach((message) => late.push(message))
    detach()
    await buses.sender.publish([MESSAGE])
    await afterAllIsHeard()
    expect(late).toEqual([])
  })
})
