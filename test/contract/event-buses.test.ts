import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { dynamoMessageReader, dynamoMessageWriter } from '../../lib/adapters/dynamodb/messages.ts'
import type { BusMessage, EventBus } from '../../lib/messages/message.ts'
import { createSharedBus } from '../../lib/messages/shared-bus.ts'
import { systemTimers } from '../../lib/runtime/async.ts'
import { systemClock } from '../../lib/runtime/time.ts'
import { ENGINE, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { inProcessBus } from '../support/fakes/bus.ts'
import { recordingLog } from '../support/fakes/log.ts'

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

/** Two instances that share a table. */
async function overTable(): Promise<Buses> {
  const { documents, stop } = await emulatedStore(ENGINE)
  const store = { ...dynamoMessageWriter(TABLES.messages, 20_000), ...dynamoMessageReader(documents, TABLES.messages) }
  const parts = { store, clock: systemClock, timers: systemTimers, random: Math.random, log: recordingLog() }
  const busOf = () => createSharedBus({ ...parts, ids: { ordered: () => 0n, unique: randomUUID } })
  const [sender, other] = [busOf(), busOf()]
  const leave = other.join()
  await other.ready()
  return {
    sender,
    other,
    async stop() {
      leave()
      await stop()
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
  [`over ${ENGINE}`, overTable],
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

  it.each<[string, BusMessage]>([
    ['of bytes and strange headers', MESSAGE],
    ['with a recipient', { ...MESSAGE, user: 'zoë' }],
    ['of 64 KiB', { ...MESSAGE, body: new Uint8Array(65_536).fill(200) }],
  ])('delivers a message to its sender and to the others, as it was published: %s', async (_what, message) => {
    await buses.sender.publish([message])
    expect(await afterAllIsHeard()).toEqual([[message], [message]])
  })

  it('delivers each message once, including equal ones', async () => {
    await Promise.all(Array.from({ length: 25 }, () => buses.sender.publish([MESSAGE])))
    expect((await afterAllIsHeard()).map(({ length }) => length)).toEqual([25, 25])
  })

  it('delivers what belongs together as a whole, and in order', async () => {
    const several = Array.from({ length: 3 }, (_, index) => ({ ...MESSAGE, body: Uint8Array.of(index) }))
    await Promise.all([buses.sender.publish(several), buses.sender.publish([MESSAGE])])
    expect(await afterAllIsHeard()).toEqual([
      [...several, MESSAGE],
      [...several, MESSAGE],
    ])
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
