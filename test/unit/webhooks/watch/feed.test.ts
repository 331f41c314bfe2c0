import { describe, expect, it } from 'vitest'
import { firstIdAt } from '../../../../lib/platform/ids.ts'
import type { EventChange } from '../../../../lib/webhooks/change-feed.ts'
import { createLiveFeed } from '../../../../lib/webhooks/watch/feed.ts'
import { positionOf } from '../../../../lib/webhooks/watch/progress.ts'
import { MemoryChangeReader } from '../../../support/fakes/change-reader.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { virtualTime } from '../../../support/fakes/timers.ts'
import { changeAt, pass } from '../../../support/watch-world.ts'

async function startedFeed(memory = 0) {
  const time = virtualTime()
  const { clock, timers } = time
  const log = recordingLog()
  const reader = new MemoryChangeReader()
  const feed = createLiveFeed({ reader, clock, timers, log, memory })
  await feed.start()
  return { time, log, reader, feed }
}

/** A change of an event at a position of its own. */
function changeOf(eventId: string, position: bigint, status = 'PROCESSED'): EventChange {
  return { ...changeAt(virtualTime(), eventId, status), changeId: position.toString() }
}

describe('the feed', () => {
  it('tells of nothing up to where all is settled, be the event known or not', async () => {
    const { time, feed } = await startedFeed(60_000)
    const told: string[] = []
    feed.follow(({ change }) => told.push(`${change.eventId} ${change.status}`))
    const early = changeAt(time, 'known', 'RECEIVED')
    feed.hear(early)
    await pass(time, 20_000)
    const { settled } = feed
    expect(settled).toBeGreaterThan(positionOf(early) + 1n)
    for (const position of [positionOf(early) + 1n, settled, settled + 1n]) {
      feed.hear(changeOf('known', position, `at ${position}`))
      feed.hear(changeOf(`new at ${position}`, position))
    }
    expect(told).toEqual(['known RECEIVED', `known at ${settled + 1n}`, `new at ${settled + 1n} PROCESSED`])
  })

  it('remembers what is behind a position, in its order', async () => {
    const { time, feed } = await startedFeed(60_000)
    const first = firstIdAt(time.clock.now().getTime())
    for (const part of [3n, 1n, 2n]) feed.hear(changeOf(`e-${part}`, first + part))
    const eventsAfter = (position: bigint) => feed.after(position)?.map(({ eventId }) => eventId)
    expect(eventsAfter(first)).toEqual(['e-1', 'e-2', 'e-3'])
    expect(eventsAfter(first + 1n)).toEqual(['e-2', 'e-3'])
    expect(eventsAfter(first + 3n)).toEqual([])
  })

  it('remembers for as long as it is told to, and then says that it does not', async () => {
    const { time, feed } = await startedFeed(60_000)
    const { settled } = feed
    feed.hear(changeAt(time, 'a'))
    await pass(time, 60_000)
    expect(feed.after(settled)).toHaveLength(1)
    await pass(time, 20_000)
    expect(feed.after(settled)).toBeUndefined()
  })

  it('remembers 20,000 changes at most, and claims to know nothing of what it forgot', async () => {
    const { time, feed } = await startedFeed(60_000)
    const first = firstIdAt(time.clock.now().getTime())
    for (let part = 1n; part <= 20_002n; part++) feed.hear(changeOf(`e-${part}`, first + part))
    for (let reading = 0; reading < 2; reading++) {
      await pass(time, 2000)
      expect(feed.after(first + 1n)).toBeUndefined()
      expect(feed.after(first + 2n)).toHaveLength(20_000)
      expect(feed.after(first + 3n)).toHaveLength(19_999)
    }
  })

  it('says why it cannot read', async () => {
    const { time, feed, log, reader } = await startedFeed()
    const down = new Error('down')
    reader.failure = down
    await pass(time, 2000)
    expect(log.entries).toEqual([
      { level: 'warn', message: 'changes cannot be read, hints still come', fields: { cause: down } },
    ])
    feed.stop()
  })
})
