import { NotFoundException } from '@aws-sdk/client-sns'
import { QueueDoesNotExist } from '@aws-sdk/client-sqs'
import { beforeEach, describe, expect, it } from 'vitest'
import { createOrphanRemoval, type RemoveOrphans } from '../../../../lib/adapters/fan-out/remove-orphans.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { ARN_OF_QUEUES, type FakeEngine, fakeEngine, TOPICS, URL_OF_QUEUES } from '../../../support/fakes/engine.ts'
import { type RecordingLog, recordingLog } from '../../../support/fakes/log.ts'

const queue = (digit: string) => `gatehouse-test-adapter-${digit.repeat(8)}-0000-4000-8000-000000000000`
const [OWN, ALIVE, DEAD, OTHER] = [queue('0'), queue('1'), queue('2'), queue('3')]

const seconds = (fromNow: number) => ({ expires: `${START.getTime() / 1000 + fromNow}` })

const subscriptionTo = (name: string) => ({ SubscriptionArn: `arn:${name}`, Endpoint: ARN_OF_QUEUES + name })

let fake: FakeEngine
let log: RecordingLog
let sweep: RemoveOrphans
const { signal } = new AbortController()

beforeEach(() => {
  fake = fakeEngine()
  log = recordingLog()
  sweep = createOrphanRemoval(fake.engine, fixedClock(), log)
})

/** Queues with their tags, and the queues that the first topic has subscriptions to. */
function thereAre(tags: Readonly<Record<string, object>>, subscribed: readonly string[]): void {
  fake.on('ListQueues', () => ({ QueueUrls: Object.keys(tags).map((name) => URL_OF_QUEUES + name) }))
  fake.on('ListQueueTags', ({ QueueUrl: url }) => ({ Tags: tags[String(url).slice(URL_OF_QUEUES.length)] }))
  fake.on('ListSubscriptionsByTopic', ({ TopicArn: topic }) => ({
    Subscriptions: topic === TOPICS.events ? subscribed.map(subscriptionTo) : [],
  }))
}

const deleted = () => fake.of('DeleteQueue').map(({ QueueUrl: url }) => String(url).slice(URL_OF_QUEUES.length))
const unsubscribed = () => fake.of('Unsubscribe').map(({ SubscriptionArn: arn }) => String(arn).slice('arn:'.length))

describe('a sweep', () => {
  it('removes expired queues, and their subscriptions first', async () => {
    thereAre({ [ALIVE]: seconds(0), [DEAD]: seconds(-1) }, [ALIVE, DEAD])
    await sweep(OWN, signal)
    expect(fake.calls.slice(-2).map(({ operation }) => operation)).toEqual(['Unsubscribe', 'DeleteQueue'])
    expect([unsubscribed(), deleted()]).toEqual([[DEAD], [DEAD]])
    expect(log.entries).toEqual([{ level: 'info', message: 'fan-out: swept', fields: { queues: 1, subscriptions: 1 } }])
  })

  it.each<[string, string, object | undefined]>([
    ["an instance's own queue", OWN, seconds(-1)],
    ['a queue without a time', ALIVE, undefined],
    ['a queue with an invalid time', ALIVE, { expires: 'soon' }],
    ['a queue whose name only begins like ours', `${ALIVE}-dead`, seconds(-1)],
    ['a queue of a stage whose name begins like ours', `gatehouse-test-adapter-x-${ALIVE}`, seconds(-1)],
  ])('leaves %s', async (_, name, tags) => {
    thereAre({ [name]: { ...tags } }, [name])
    await sweep(OWN, signal)
    await sweep(OWN, signal)
    expect([unsubscribed(), deleted(), log.entries]).toEqual([[], [], []])
  })

  it('ends a subscription whose queue was also missing the last time', async () => {
    thereAre({ [ALIVE]: seconds(1) }, [ALIVE, DEAD])
    await sweep(OWN, signal)
    expect(unsubscribed()).toEqual([])
    await sweep(OWN, signal)
    expect([unsubscribed(), deleted()]).toEqual([[DEAD], []])
  })

  it('keeps the subscription of a queue that is not listed yet', async () => {
    thereAre({}, [OTHER])
    await sweep(OWN, signal)
    thereAre({ [OTHER]: seconds(1) }, [OTHER])
    await sweep(OWN, signal)
    thereAre({}, [OTHER])
    await sweep(OWN, signal)
    expect(unsubscribed()).toEqual([])
  })

  it('keeps its own subscription while its own queue is not listed', async () => {
    thereAre({}, [OWN])
    await sweep(OWN, signal)
    await sweep(OWN, signal)
    expect(unsubscribed()).toEqual([])
  })

  it('ignores what another sweep has already removed', async () => {
    thereAre({ [ALIVE]: seconds(-1), [DEAD]: seconds(-1) }, [DEAD])
    const tags = seconds(-1)
    fake.on('ListQueueTags', ({ QueueUrl: url }) => {
      if (String(url).endsWith(ALIVE)) throw new QueueDoesNotExist({ $metadata: {}, message: '' })
      return { Tags: tags }
    })
    fake.on('Unsubscribe', () => {
      throw new NotFoundException({ $metadata: {}, message: '' })
    })
    fake.on('DeleteQueue', () => {
      throw new QueueDoesNotExist({ $metadata: {}, message: '' })
    })
    await sweep(OWN, signal)
    expect(deleted()).toEqual([DEAD])
  })

  it('reads every page', async () => {
    fake.on('ListQueues', ({ NextToken: page, MaxResults: size }) => {
      expect(size).toBe(1000)
      return page ? { QueueUrls: [URL_OF_QUEUES + DEAD] } : { QueueUrls: [URL_OF_QUEUES + ALIVE], NextToken: '2' }
    })
    fake.on('ListQueueTags', () => ({ Tags: seconds(-1) }))
    fake.on('ListSubscriptionsByTopic', ({ NextToken: page, TopicArn: topic }) => {
      if (topic === TOPICS.events) return {}
      return page
        ? { Subscriptions: [subscriptionTo(DEAD)] }
        : { Subscriptions: [subscriptionTo(ALIVE)], NextToken: '2' }
    })
    await sweep(OWN, signal)
    expect([unsubscribed(), deleted()]).toEqual([
      [ALIVE, DEAD],
      [ALIVE, DEAD],
    ])
  })

  it('does not end an ended subscription that is still listed', async () => {
    thereAre({ [DEAD]: seconds(-1) }, [])
    fake.on('ListSubscriptionsByTopic', () => ({
      Subscriptions: [{ ...subscriptionTo(DEAD), SubscriptionArn: 'Deleted' }],
    }))
    await sweep(OWN, signal)
    expect([unsubscribed(), deleted()]).toEqual([[], [DEAD]])
  })

  it('aborts when its instance stops', async () => {
    thereAre({ [DEAD]: seconds(-1) }, [DEAD])
    const stopping = new AbortController()
    fake.on('Unsubscribe', () => stopping.abort())
    await expect(sweep(OWN, stopping.signal)).rejects.toThrow('aborted')
    expect(deleted()).toEqual([])
  })
})
