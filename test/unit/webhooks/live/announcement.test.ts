import { describe, expect, it } from 'vitest'
import { type Announcement, createAnnouncer, deadDelivery } from '../../../../lib/webhooks/live/announcement.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { recordingMetrics } from '../../../support/fakes/metrics.ts'

const DEATH = deadDelivery({ source: 'test', eventId: 'event-1', destination: 'crm' }, 'HTTP 503', START)

function setUp() {
  const topic = { published: [] as Announcement[], isDown: false }
  const parts = { metrics: recordingMetrics(), clock: fixedClock(), log: recordingLog() }
  const publish = async (announcement: Announcement) => {
    if (topic.isDown) throw new Error('the topic is down')
    topic.published.push(announcement)
  }
  return { topic, ...parts, announcer: createAnnouncer({ publish, ...parts }) }
}

describe('an announcement', () => {
  it('is sent before the invocation ends, and is not awaited before that', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { metrics, clock, log } = setUp()
    const announcer = createAnnouncer({ publish: () => promise, metrics, clock, log })
    let isSettled = false
    announcer.announce(DEATH)
    const settled = announcer.drained().then(() => {
      isSettled = true
    })
    await Promise.resolve()
    expect(isSettled).toBe(false)
    resolve()
    await settled
    expect(isSettled).toBe(true)
  })

  it('that cannot even be sent is lost: it is counted and logged, and causes no error', async () => {
    const { metrics, clock, log } = setUp()
    const publish = () => {
      throw new TypeError('bug')
    }
    const announcer = createAnnouncer({ publish, metrics, clock, log })
    announcer.announce(DEATH)
    await announcer.drained()
    expect(metrics.counted).toEqual([['AnnouncementLost', {}]])
    expect(log.of('announcement lost')).toEqual([{ cause: expect.any(Error) }])
  })

  it('that is lost is counted every time and logged once a minute', async () => {
    const { topic, metrics, clock, log, announcer } = setUp()
    const lose = async () => {
      announcer.announce(DEATH)
      await announcer.drained()
    }
    topic.isDown = true
    for (const milliseconds of [0, 1, 59_998, 1]) {
      clock.advance(milliseconds)
      await lose()
    }
    expect(metrics.counted).toHaveLength(4)
    expect(log.entries).toHaveLength(2)
    topic.isDown = false
    await lose()
    expect(topic.published).toEqual([DEATH])
  })
})
