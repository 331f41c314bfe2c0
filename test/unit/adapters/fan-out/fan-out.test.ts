import { NotFoundException } from '@aws-sdk/client-sns'
import { type Message, QueueDoesNotExist } from '@aws-sdk/client-sqs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFanOut, type FanOut } from '../../../../lib/adapters/fan-out/fan-out.ts'
import { messageText, textsOf } from '../../../../lib/adapters/fan-out/publication.ts'
import type { Announcement } from '../../../../lib/webhooks/live/announcement.ts'
import {
  ARN_OF_QUEUES,
  type FakeEngine,
  fakeEngine,
  TOPICS,
  URL_OF_QUEUES,
  untilAborted,
} from '../../../support/fakes/engine.ts'
import { countingIds } from '../../../support/fakes/ids.ts'
import { type RecordingLog, recordingLog } from '../../../support/fakes/log.ts'
import { type VirtualTime, virtualTime } from '../../../support/fakes/timers.ts'
import { DEATH } from '../../../support/fan-out.ts'

const MINUTE = 60_000

let fake: FakeEngine
let time: VirtualTime
let log: RecordingLog
let fanOut: FanOut
let announced: Announcement[]
let bodies: string[]

function create(): FanOut {
  const { clock, timers } = time
  return createFanOut({ engine: fake.engine, clock, timers, ids: countingIds(), random: () => 0, log })
}

beforeEach(() => {
  fake = fakeEngine()
  time = virtualTime()
  log = recordingLog()
  fanOut = create()
  announced = []
  bodies = []
  fanOut.onAnnouncement((announcement) => announced.push(announcement))
  fanOut.bus.attach(({ body }) => bodies.push(Buffer.from(body).toString()))
})
afterEach(() => fanOut.stop())

const gone = () => new QueueDoesNotExist({ $metadata: {}, message: 'gone' })

const failing = (error: Error) => () => {
  throw error
}

/** Everything has happened that can happen without time passing. */
async function settled(): Promise<void> {
  let calls: number
  do {
    calls = fake.calls.length
    await new Promise<void>((resolve) => setImmediate(resolve))
  } while (fake.calls.length > calls)
}

/** Patient polls answer these batches one after the other. */
function arriving(...batches: readonly (readonly Message[])[]): void {
  const rest = [...batches]
  fake.on('ReceiveMessage', ({ WaitTimeSeconds: seconds }, signal) => {
    if (seconds === 0) return {}
    const messages = rest.shift()
    return messages ? { Messages: messages } : untilAborted(signal)
  })
}

const eventIds = () => announced.map((one) => 'eventId' in one && one.eventId)

const death = (messageId: string, eventId: string): Message => ({
  MessageId: messageId,
  ReceiptHandle: `handle-${messageId}`,
  Body: JSON.stringify({ ...DEATH, eventId }),
})

function publication(origin: string, number: number, body: string): string {
  const message = { destination: '/topic/public/a', headers: {}, body: Buffer.from(body) }
  return textsOf({ origin, number, after: number - 1 }, [messageText(message)])[0] ?? ''
}

const sent = (messageId: string, number: number, body: string): Message => ({
  MessageId: messageId,
  ReceiptHandle: `handle-${messageId}`,
  Body: publication('other', number, body),
})

const broadcast = (messageId: string, id: string, text: string): Message => ({
  MessageId: messageId,
  ReceiptHandle: `handle-${messageId}`,
  Body: JSON.stringify({ messageId: id, message: { destination: '/topic/public/a', headers: {}, text } }),
})

describe('a received message', () => {
  it('of its own clients is not delivered twice, even if SNS does not filter it', async () => {
    arriving([{ MessageId: 'a', ReceiptHandle: 'handle-a', Body: publication('unique-1', 1, 'mine') }])
    await fanOut.start(MINUTE)
    await settled()
    expect(bodies).toEqual([])
  })

  it('comes from both topics as it was published, except for the messages of its own clients', async () => {
    await fanOut.start(MINUTE)
    const common = {
      Protocol: 'sqs',
      Endpoint: `${ARN_OF_QUEUES}gatehouse-test-adapter-unique-2`,
      ReturnSubscriptionArn: true,
    }
    const RawMessageDelivery = 'true'
    const FilterPolicy = '{"origin":[{"anything-but":["unique-1"]}]}'
    expect(fake.of('Subscribe').slice(0, 2)).toEqual([
      { TopicArn: TOPICS.events, ...common, Attributes: { RawMessageDelivery } },
      { TopicArn: TOPICS.messages, ...common, Attributes: { RawMessageDelivery, FilterPolicy } },
    ])
  })

  it('is delivered in its order, and deleted from the queue', async () => {
    arriving([death('a', '1'), sent('b', 1, 'hello')], [death('c', '2')])
    await fanOut.start(MINUTE)
    await settled()
    expect([eventIds(), bodies]).toEqual([['1', '2'], ['hello']])
    expect(fake.of('DeleteMessageBatch').map(({ Entries: entries }) => entries)).toEqual([
      [
        { Id: '0', ReceiptHandle: 'handle-a' },
        { Id: '1', ReceiptHandle: 'handle-b' },
      ],
      [{ Id: '0', ReceiptHandle: 'handle-c' }],
    ])
  })

  it('is delivered once when SQS repeats it, and deleted again', async () => {
    arriving([death('a', '1')], [death('a', '1'), death('b', '1')])
    await fanOut.start(MINUTE)
    await settled()
    expect(announced).toHaveLength(2)
    expect(fake.of('DeleteMessageBatch').map(({ Entries: entries }) => (entries as unknown[]).length)).toEqual([1, 2])
  })

  it('is delivered once when SNS repeats it, or its publisher sent it again', async () => {
    arriving([sent('a', 1, 'once'), sent('b', 1, 'once'), sent('c', 2, 'once')])
    await fanOut.start(MINUTE)
    await settled()
    expect(bodies).toEqual(['once', 'once'])
  })

  it('of the service itself is delivered at once, and once however often it comes', async () => {
    arriving([broadcast('a', 'm-1', 'to all')], [broadcast('b', 'm-1', 'to all'), broadcast('c', 'm-2', 'again')])
    await fanOut.start(MINUTE)
    await settled()
    expect(bodies).toEqual(['to all', 'again'])
  })

  it('is delivered when it cannot be deleted, and the failure is logged once', async () => {
    fake.on('DeleteMessageBatch', failing(new Error('denied')))
    arriving([death('a', '1')], [death('a', '1')], [death('b', '2')])
    await fanOut.start(MINUTE)
    await settled()
    expect(eventIds()).toEqual(['1', '2'])
    expect(log.of('fan-out: removing messages fails')).toHaveLength(1)
  })

  it('is delivered to all listeners even if one before them throws', async () => {
    fanOut.onAnnouncement(failing(new Error('a bug')))
    const after: Announcement[] = []
    fanOut.onAnnouncement((announcement) => after.push(announcement))
    arriving([death('a', '1')], [death('b', '2')])
    await fanOut.start(MINUTE)
    await settled()
    expect(after).toHaveLength(2)
    expect(log.of('fan-out: a listener failed')).toHaveLength(2)
  })

  it('does not wait for the deletion of earlier ones', async () => {
    const removal = Promise.withResolvers<object>()
    fake.on('DeleteMessageBatch', () => removal.promise)
    arriving([death('a', '1')], [death('b', '2')])
    await fanOut.start(MINUTE)
    await settled()
    expect(eventIds()).toEqual(['1', '2'])
    removal.resolve({})
  })
})

describe('while the engine is away', () => {
  it('connecting is retried after pauses that grow up to a limit, and logged once', async () => {
    fake.on('CreateQueue', failing(new Error('away')))
    void fanOut.start(0)
    const pauses: number[] = []
    for (let tries = 1; tries < 12; tries++) {
      await settled()
      const before = time.clock.now().getTime()
      while (fake.of('CreateQueue').length === tries) {
        time.pass(100)
        await settled()
      }
      pauses.push(time.clock.now().getTime() - before)
    }
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 15_000, 15_000, 15_000])
    expect(log.entries).toHaveLength(1)
  })

  it('the same queue serves until the topics are there', async () => {
    let isThere = false
    fake.on('Subscribe', ({ TopicArn: topic }) => {
      if (topic === TOPICS.messages && !isThere) throw new NotFoundException({ $metadata: {}, message: 'no topic' })
      return { SubscriptionArn: `${topic}:subscription` }
    })
    void fanOut.start(0)
    for (let second = 0; second < 10; second++) {
      await settled()
      time.pass(1000)
    }
    isThere = true
    await settled()
    time.pass(MINUTE)
    await settled()
    expect(log.of('fan-out: listens')).toHaveLength(1)
    expect(fake.of('CreateQueue')).toHaveLength(1)
    const subscribed = fake.of('Subscribe').map(({ TopicArn: topic }) => topic)
    expect(subscribed.slice(0, -2).filter((topic) => topic === TOPICS.events)).toHaveLength(1)
  })

  it('pauses start small again after a success', async () => {
    let polls = 0
    fake.on('ReceiveMessage', ({ WaitTimeSeconds: seconds }, signal) => {
      polls += 1
      if (seconds === 0) return {}
      if (polls > 8) return untilAborted(signal)
      throw new Error('reset')
    })
    void fanOut.start(0)
    for (let tries = 0; tries < 4; tries++) {
      await settled()
      time.pass(100)
    }
    await settled()
    expect(polls).toBe(10)
  })
})

describe('a queue that is not there', () => {
  it('is replaced at once if it existed before', async () => {
    let isLost = false
    fake.on('ReceiveMessage', ({ WaitTimeSeconds: seconds }, signal) => {
      if (seconds === 0) return {}
      if (isLost) return untilAborted(signal)
      isLost = true
      throw gone()
    })
    await fanOut.start(MINUTE)
    await settled()
    time.pass(100)
    await settled()
    expect(fake.of('CreateQueue').map(({ QueueName: name }) => name)).toEqual([
      'gatehouse-test-adapter-unique-2',
      'gatehouse-test-adapter-unique-3',
    ])
    expect(fake.of('Subscribe').filter(({ Endpoint: arn }) => String(arn).endsWith('unique-3'))).toHaveLength(2)
    expect(log.of('fan-out: listens')).toHaveLength(2)
  })

  it('is awaited if it was just created', async () => {
    let refusals = 3
    fake.on('ReceiveMessage', ({ WaitTimeSeconds: seconds }, signal) => {
      if (refusals-- > 0) throw gone()
      return seconds === 0 ? {} : untilAborted(signal)
    })
    void fanOut.start(0)
    for (let second = 0; second < 5; second++) {
      await settled()
      time.pass(1000)
    }
    expect(fake.of('CreateQueue')).toHaveLength(1)
    expect(log.of('fan-out: listens')).toHaveLength(1)
  })

  it('is given up when it is never found', async () => {
    fake.on('ReceiveMessage', failing(gone()))
    void fanOut.start(0)
    for (let second = 0; second < 5; second++) {
      await settled()
      time.pass(1000)
    }
    expect(fake.of('CreateQueue')).toHaveLength(2)
  })
})

describe('maintenance', () => {
  it('renews its sign of life every few minutes, and restores ended subscriptions', async () => {
    await fanOut.start(MINUTE)
    await settled()
    const begin = time.clock.now().getTime() / 1000
    for (let round = 0; round < 3; round++) {
      time.pass(2.25 * MINUTE)
      await settled()
    }
    const expiries = fake.of('TagQueue').map(({ Tags: tags }) => Number((tags as { expires: string }).expires) - begin)
    expect(expiries).toEqual([15, 17.25, 19.5, 21.75].map((minutes) => minutes * 60))
    expect(fake.of('Subscribe')).toHaveLength(2 + 4 * 2)
  })

  it('that fails is logged once, and does not block messages', async () => {
    fake.on('ListQueues', failing(new Error('denied')))
    const isArriving = Promise.withResolvers<object>()
    fake.on('ReceiveMessage', ({ WaitTimeSeconds: seconds }, signal) => {
      if (seconds === 0) return {}
      return announced.length > 0 ? untilAborted(signal) : isArriving.promise
    })
    await fanOut.start(MINUTE)
    for (let round = 0; round < 3; round++) {
      await settled()
      time.pass(4 * MINUTE)
    }
    isArriving.resolve({ Messages: [death('a', '1')] })
    await settled()
    expect(announced).toHaveLength(1)
    expect(log.entries.filter(({ level }) => level === 'warn')).toMatchObject([{ message: 'fan-out: upkeep fails' }])
  })
})

describe('stopping', () => {
  async function stopAfter(ticks: number): Promise<void> {
    for (let tick = 0; tick < ticks; tick++) await undefined
    await fanOut.stop()
  }

  it('delivers the messages in the queue when no new ones can come', async () => {
    fake.on('ReceiveMessage', failing(new Error('reset')))
    void fanOut.start(0)
    await settled()
    const batches = [[death('a', '1')], [death('b', '2')], []]
    fake.on('ReceiveMessage', () => ({ Messages: batches.shift() }))
    const before = fake.calls.length
    await fanOut.stop()
    expect(eventIds()).toEqual(['1', '2'])
    expect(fake.calls.slice(before).map(({ operation }) => operation)).toEqual([
      'Unsubscribe',
      'Unsubscribe',
      'ReceiveMessage',
      'ReceiveMessage',
      'ReceiveMessage',
      'DeleteQueue',
    ])
  })

  it('neither throws nor aborts when the engine refuses', async () => {
    await fanOut.start(MINUTE)
    for (const operation of ['Unsubscribe', 'ReceiveMessage', 'DeleteQueue'])
      fake.on(operation, failing(new Error('no')))
    await fanOut.stop()
    expect(fake.of('Unsubscribe')).toHaveLength(2)
    expect(fake.of('DeleteQueue')).toHaveLength(1)
    expect(log.of('fan-out: left to be swept')).toHaveLength(4)
  })

  it('ends after five seconds when the engine does not answer', async () => {
    await fanOut.start(MINUTE)
    fake.on('Unsubscribe', () => new Promise(() => {}))
    const stopped = fanOut.stop()
    time.pass(5000)
    await stopped
    expect(log.of('fan-out: no time to clear away, left to be swept')).toHaveLength(1)
  })

  it.each(Array.from({ length: 12 }, (_, ticks) => ticks))(
    'ends at once, also %i ticks before a poll',
    async (ticks) => {
      const stopped = Promise.withResolvers<void>()
      fanOut.onAnnouncement(() => stopped.resolve(stopAfter(ticks)))
      arriving([death('a', '1')])
      await fanOut.start(MINUTE)
      await stopped.promise
      expect(fake.of('DeleteQueue')).toHaveLength(1)
    },
  )

  it('waits for messages that are being deleted', async () => {
    const removal = Promise.withResolvers<object>()
    fake.on('DeleteMessageBatch', () => removal.promise)
    arriving([death('a', '1')])
    await fanOut.start(MINUTE)
    await settled()
    const stopped = fanOut.stop()
    await settled()
    expect(fake.of('DeleteQueue')).toEqual([])
    removal.resolve({})
    await stopped
    expect(time.pending()).toBe(0)
  })

  it('aborts maintenance before it could subscribe again', async () => {
    const renewal = Promise.withResolvers<object>()
    const listing = Promise.withResolvers<object>()
    fake.on('TagQueue', () => renewal.promise)
    fake.on('ListQueues', () => listing.promise)
    await fanOut.start(MINUTE)
    await settled()
    const stopped = fanOut.stop()
    await settled()
    expect(fake.of('Unsubscribe')).toEqual([])
    renewal.resolve({})
    listing.resolve({ QueueUrls: [`${URL_OF_QUEUES}gatehouse-test-adapter-${crypto.randomUUID()}`] })
    await stopped
    expect(fake.of('ListQueueTags')).toEqual([])
    expect(fake.calls.slice(-4).map(({ operation }) => operation)).toEqual([
      'Unsubscribe',
      'Unsubscribe',
      'ReceiveMessage',
      'DeleteQueue',
    ])
    expect(log.entries.filter(({ level }) => level === 'warn')).toEqual([])
    expect(time.pending()).toBe(0)
  })

  it('waits for a queue that is being created, and deletes it', async () => {
    const making = Promise.withResolvers<object>()
    fake.on('CreateQueue', () => making.promise)
    void fanOut.start(0)
    await settled()
    const stopped = fanOut.stop()
    making.resolve({ QueueUrl: 'https://sqs/1/late' })
    await stopped
    expect(fake.of('DeleteQueue')).toEqual([{ QueueUrl: 'https://sqs/1/late' }])
    expect(fake.of('Unsubscribe')).toHaveLength(2)
  })

  it('can be requested twice, and before the start', async () => {
    await Promise.all([fanOut.stop(), fanOut.stop()])
    expect(fake.calls).toEqual([])
    expect(time.pending()).toBe(0)
  })
})
