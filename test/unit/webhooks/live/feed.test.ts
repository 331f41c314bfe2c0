import { describe, expect, it, vi } from 'vitest'
import { firstIdAt, millisecondsOf } from '../../../../lib/runtime/ids.ts'
import { type EventChange, positionOf } from '../../../../lib/webhooks/live/cursor.ts'
import { createLiveFeed } from '../../../../lib/webhooks/live/feed.ts'
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
  const leave = feed.join()
  await feed.ready()
  return { time, log, reader, feed, leave }
}

const CHANGE = changeAt(virtualTime(), 'any')

/** A change of an event at a position of its own. */
function changeOf(eventId: string, position: bigint, status = 'PROCESSED'): EventChange {
  return { ...CHANGE, eventId, status, changeId: position.toString() }
}

describe('the feed', () => {
  it('sends nothing up to the settled position, for known and unknown events', async () => {
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

  it('remembers the changes after a position, in their order', async () => {
    const { time, feed } = await startedFeed(60_000)
    const first = firstIdAt(time.clock.now().getTime())
    for (const part of [3n, 1n, 2n]) feed.hear(changeOf(`e-${part}`, first + part))
    const eventsAfter = (position: bigint) => feed.after(position)?.map(({ eventId }) => eventId)
    expect(eventsAfter(first)).toEqual(['e-1', 'e-2', 'e-3'])
    expect(eventsAfter(first + 1n)).toEqual(['e-2', 'e-3'])
    expect(eventsAfter(first + 3n)).toEqual([])
  })

  it('remembers for the configured time, and reports after it that it does not', async () => {
    const { time, feed } = await startedFeed(60_000)
    const { settled } = feed
    feed.hear(changeAt(time, 'a'))
    await pass(time, 60_000)
    expect(feed.after(settled)).toHaveLength(1)
    await pass(time, 20_000)
    expect(feed.after(settled)).toBeUndefined()
  })

  it('remembers the last 20,000 changes, and reports the others as forgotten', async () => {
    const { time, feed } = await startedFeed(60_000)
    const first = firstIdAt(time.clock.now().getTime())
    feed.hear(changeOf('e-20002', first, 'RECEIVED'))
    for (let part = 1n; part <= 20_002n; part++) feed.hear(changeOf(`e-${part}`, first + part))
    for (let reading = 0; reading < 2; reading++) {
      await pass(time, 2000)
      expect(feed.after(first + 1n)).toBeUndefined()
      expect(feed.after(first + 2n)).toHaveLength(20_000)
      expect(feed.after(first + 3n)).toHaveLength(19_999)
    }
  })

  it('sends to its followers, until they leave', async () => {
    const { time, feed } = await startedFeed()
    const [gone, there] = [vi.fn(), vi.fn()]
    const leave = feed.follow(gone)
    feed.follow(there)
    leave()
    feed.hear(changeAt(time, 'a'))
    expect([gone, there].map(({ mock }) => mock.calls.length)).toEqual([0, 1])
  })

  it('reads no more after the last one left, even during a read', async () => {
    const { time, leave, reader } = await startedFeed()
    const page = Promise.withResolvers<Awaited<ReturnType<typeof reader.after>>>()
    const after = vi.spyOn(reader, 'after').mockReturnValue(page.promise)
    await pass(time, 500)
    expect([after.mock.calls.length, time.pending()]).toEqual([1, 0])
    leave()
    page.resolve({ changes: [], upTo: undefined })
    await pass(time, 10_000)
    expect([after.mock.calls.length, time.pending()]).toEqual([1, 0])
  })

  it('makes no request while nobody has joined', async () => {
    const { time, feed, leave, reader } = await startedFeed()
    const other = feed.join()
    const after = vi.spyOn(reader, 'after')
    leave()
    leave()
    await pass(time, 500)
    expect(after).toHaveBeenCalledTimes(1)
    other()
    await pass(time, 60_000)
    expect([after.mock.calls.length, time.pending()]).toEqual([1, 0])
    feed.join()
    await feed.ready()
    await pass(time, 1000)
    expect(after).toHaveBeenCalledTimes(4)
  })

  it('tells those who join first of all that changes from then on, and of nothing before', async () => {
    const { time, reader, feed, leave } = await startedFeed()
    leave()
    await pass(time, 60_000)
    reader.put(changeAt(time, 'before'))
    time.pass(1)
    const told: string[] = []
    feed.follow(({ change }) => told.push(change.eventId))
    reader.failure = new Error('down')
    feed.join()
    reader.put(changeAt(time, 'at once'))
    await feed.ready()
    expect([told, feed.ready()]).toEqual([[], expect.any(Promise)])
    reader.failure = undefined
    await pass(time, 1000)
    reader.put(changeAt(time, 'later'))
    await pass(time, 500)
    expect([told, feed.ready()]).toEqual([['at once', 'later'], undefined])
  })

  it('reads the changes of five seconds, and each fourth time all that may still become visible', async () => {
    const { time, reader } = await startedFeed()
    await pass(time, 20_000)
    const starts: number[] = []
    vi.spyOn(reader, 'after').mockImplementation(async (position) => {
      starts.push(time.clock.now().getTime() - millisecondsOf(position))
      return { changes: [], upTo: undefined }
    })
    await pass(time, 2000)
    expect(starts.toSorted((one, other) => one - other)).toEqual([5000, 5000, 5000, 17_000])
  })
})

it('a read for those who have left changes nothing for who joins later', async () => {
  const { clock, timers } = virtualTime()
  const answers: (() => void)[] = []
  const reader = {
    after: () =>
      new Promise<{ changes: readonly EventChange[]; upTo: undefined }>((resolve) =>
        answers.push(() => resolve({ changes: [], upTo: undefined })),
      ),
  }
  const feed = createLiveFeed({ reader, clock, timers, log: recordingLog(), memory: 0 })
  feed.join()()
  feed.join()
  answers[0]?.()
  await new Promise<void>((resolve) => setImmediate(resolve))
  expect(feed.ready()).toBeDefined()
  answers[1]?.()
  await feed.ready()
  expect(feed.ready()).toBeUndefined()
})
