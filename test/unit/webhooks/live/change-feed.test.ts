import { describe, expect, it } from 'vitest'
import { firstIdAt } from '../../../../lib/runtime/ids.ts'
import { changeIdOf, createChangePublisher } from '../../../../lib/webhooks/live/change-feed.ts'
import { deadDelivery } from '../../../../lib/webhooks/live/dead-delivery.ts'
import { retryEnd } from '../../../../lib/webhooks/live/order-end.ts'
import { MemoryFeed } from '../../../support/fakes/change-feed.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { recordingMetrics } from '../../../support/fakes/metrics.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'

const change = (changes: Parameters<typeof failedEvent>[0] = {}) => ({ ...failedEvent(changes), changeId: 42n })

function setUp() {
  const feed = new MemoryFeed()
  const metrics = recordingMetrics()
  const clock = fixedClock()
  const log = recordingLog()
  return { feed, metrics, clock, log, publisher: createChangePublisher({ feed, metrics, clock, log }) }
}

it('the position of a change has its time, and each event has its own position within the millisecond', () => {
  const [one, other] = ['event-1', 'event-2'].map((eventId) => changeIdOf({ source: 'test', eventId }, START))
  const elsewhere = changeIdOf({ source: 'another', eventId: 'event-1' }, START)
  expect(new Set([one, other, elsewhere]).size).toBe(3)
  for (const id of [one, other, elsewhere]) {
    expect(id).toBeGreaterThanOrEqual(firstIdAt(START.getTime()))
    expect(id).toBeLessThan(firstIdAt(START.getTime() + 1))
  }
})

describe('a hint on the change feed', () => {
  it('names the event like its record, without payload and headers', async () => {
    const { feed, publisher } = setUp()
    publisher.publishChange(change({ id: 3_804_000_000_000_000_123n, receivedAt: START }))
    await publisher.drained()
    expect(feed.published).toEqual([
      {
        changeId: '42',
        id: '3804000000000000123',
        source: 'test',
        eventId: 'event-1',
        eventType: 'TEST',
        status: 'FAILED',
        receivedAt: '2026-01-02T03:04:05.000',
        proof: { level: 'none', key: null, signedAt: null },
      },
    ])
  })

  it('announces a delivery that was given up, with the reason', async () => {
    const { feed, publisher } = setUp()
    const death = deadDelivery({ source: 'test', eventId: 'event-1', destination: 'crm' }, 'HTTP 503', START)
    publisher.announce(death)
    await publisher.drained()
    expect(feed.published).toEqual([death])
  })

  it('announces the end of an order', async () => {
    const { feed, publisher } = setUp()
    const end = retryEnd(failedEvent({ status: 'PROCESSED', orderedBy: 'id-1' }), START)
    if (end) publisher.announce(end)
    await publisher.drained()
    expect(feed.published).toEqual([end])
  })

  it('contains the proof of the event, like its record', async () => {
    const { feed, publisher } = setUp()
    const proof = { level: 'full', key: 'zoom#1', signedAt: START, isStale: true } as const
    publisher.publishChange(change({ proof }))
    await publisher.drained()
    expect(feed.published).toMatchObject([
      { proof: { level: 'full', key: 'zoom#1', signedAt: '2026-01-02T03:04:05.000Z', stale: true } },
    ])
  })

  it('is sent before the invocation ends, and is not awaited before that', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { metrics, clock, log } = setUp()
    const publisher = createChangePublisher({ feed: { publish: () => promise }, metrics, clock, log })
    let isSettled = false
    publisher.publishChange(change())
    const settled = publisher.drained().then(() => {
      isSettled = true
    })
    await Promise.resolve()
    expect(isSettled).toBe(false)
    resolve()
    await settled
    expect(isSettled).toBe(true)
  })

  it.each([
    ['refuses', () => Promise.reject(new Error('down'))],
    [
      'throws',
      () => {
        throw new TypeError('bug')
      },
    ],
  ])('that the feed %s is lost: it is counted and logged, and causes no error', async (_, publish) => {
    const { metrics, clock, log } = setUp()
    const publisher = createChangePublisher({ feed: { publish }, metrics, clock, log })
    publisher.publishChange(change())
    await publisher.drained()
    expect(metrics.counted).toEqual([['FeedHintLost', {}]])
    expect(log.of('change hint lost, the store has the event')).toEqual([{ cause: expect.any(Error) }])
  })

  it('that is lost is counted every time and logged once a minute', async () => {
    const { feed, metrics, clock, log, publisher } = setUp()
    const lose = async () => {
      publisher.publishChange(change())
      await publisher.drained()
    }
    feed.isDown = true
    for (const milliseconds of [0, 1, 59_998, 1]) {
      clock.advance(milliseconds)
      await lose()
    }
    expect(metrics.counted).toHaveLength(4)
    expect(log.entries).toHaveLength(2)
    feed.isDown = false
    await lose()
    expect(feed.published).toHaveLength(1)
  })

  it('costs nothing when there is no announcement', async () => {
    const { metrics, publisher } = setUp()
    await publisher.drained()
    expect(metrics.counted).toEqual([])
  })
})
