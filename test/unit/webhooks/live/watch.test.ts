import { describe, expect, it, vi } from 'vitest'
import { unavailable } from '../../../../lib/errors.ts'
import { earlierOf } from '../../../../lib/runtime/time.ts'
import { hashOf, WatchCursor, watchCursorOf } from '../../../../lib/webhooks/live/cursor.ts'
import { createLiveFeed } from '../../../../lib/webhooks/live/feed.ts'
import { createWatch, QUIET_MS } from '../../../../lib/webhooks/live/watch.ts'
import { changeAt, nodeOf, pass, settle, Watcher, watchWorld } from '../../../support/watch-world.ts'

describe('a watcher', () => {
  it('receives each change once, from its hint, a repeated hint, or the store', async () => {
    const { time, reader, node } = await watchWorld()
    const watcher = new Watcher(node.watch)
    const change = changeAt(time, 'a')
    node.feed.hear(change)
    node.feed.hear(change)
    reader.put(change)
    await pass(time, 60_000)
    expect(watcher.told).toEqual(['a PROCESSED'])
  })

  it('receives no heartbeat after each change', async () => {
    const { time, node } = await watchWorld()
    const watcher = new Watcher(node.watch)
    await settle()
    node.feed.hear(changeAt(time, 'a'))
    await settle()
    expect([watcher.told.length, watcher.quiet]).toEqual([1, 1])
  })

  it('receives at once a change that the store returned for another one', async () => {
    const { time, reader, node } = await watchWorld()
    const watcher = new Watcher(node.watch)
    await settle()
    reader.put(changeAt(time, 'a'))
    const other = new Watcher(node.watch, watchCursorOf(1n, []))
    await settle()
    expect([watcher.told, other.told]).toEqual([['a PROCESSED'], ['a PROCESSED']])
  })

  it('ends when its reader stops', async () => {
    const { time, reader, node } = await watchWorld()
    const stop = vi.fn()
    const watch = createWatch({ feed: { ...node.feed, follow: () => stop }, reader, timers: time.timers })
    const notices = watch(undefined, new AbortController().signal)[Symbol.asyncIterator]()
    await notices.next()
    expect(stop).not.toHaveBeenCalled()
    await notices.return?.()
    expect(stop).toHaveBeenCalledOnce()
  })

  it('Q17 receives a change within half a second after the index shows it', async () => {
    const { time, reader, node } = await watchWorld()
    const watcher = new Watcher(node.watch)
    await settle()
    reader.put(changeAt(time, 'a'))
    await pass(time, 500)
    expect(watcher.told).toEqual(['a PROCESSED'])
  })

  it('receives two events with the same hash', async () => {
    const { time, node } = await watchWorld()
    const watcher = new Watcher(node.watch)
    const earlier = changeAt(time, 'event-64158')
    time.pass(5)
    node.feed.hear(changeAt(time, 'event-155059'))
    node.feed.hear(earlier)
    await settle()
    expect(hashOf({ source: 'test', eventId: 'event-155059' })).toBe(hashOf(earlier))
    expect(watcher.told.map(nameOf)).toEqual(['event-155059', 'event-64158'])
  })

  it('receives its position at once, and at least twice a minute', async () => {
    const { time, node } = await watchWorld()
    const watcher = new Watcher(node.watch)
    await settle()
    await pass(time, 2 * QUIET_MS)
    expect(watcher.quiet).toBe(3)
  })

  it('G08 is ended when it is too slow', async () => {
    const { time, node } = await watchWorld()
    const notices = node.watch(undefined, new AbortController().signal)[Symbol.asyncIterator]()
    await notices.next()
    const next = notices.next()
    for (let number = 0; number <= 1000; number++) node.feed.hear(changeAt(time, `event-${number}`))
    await expect(next).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})

describe('a resuming watcher', () => {
  it('on an instance that is behind receives nothing twice, even after a late hint', async () => {
    const { time, nodes } = await watchWorld(2)
    const [one, other] = [nodeOf(nodes, 0), nodeOf(nodes, 1)]
    const before = new Watcher(one.watch)
    const known = changeAt(time, 'known')
    one.feed.hear(known)
    await settle()
    before.stop()
    const after = new Watcher(other.watch, before.cursor)
    await settle()
    expect([after.quiet, WatchCursor.read(after.cursor ?? '')?.isDelivered(known)]).toEqual([1, true])
    other.feed.hear(known)
    time.pass(10)
    other.feed.hear(changeAt(time, 'new'))
    await settle()
    expect(after.told.map(nameOf)).toEqual(['new'])
    await pass(time, 2 * QUIET_MS)
    expect(WatchCursor.read(after.cursor ?? '')?.named).toEqual(new Map().keys())
    other.feed.hear(changeAt(time, 'newer'))
    await settle()
    expect(after.told.map(nameOf)).toEqual(['new', 'newer'])
    expect(after.cursor).toBe(other.feed.cursor())
  })

  it('receives more unsettled changes than fit on a page', async () => {
    const { time, reader, node } = await watchWorld()
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    for (const name of names) {
      reader.put(changeAt(time, name))
      time.pass(10)
    }
    const watcher = new Watcher(node.watch, watchCursorOf(1n, []))
    await settle()
    expect(watcher.told.map(nameOf)).toEqual(names)
  })

  it('receives nothing after its reader stops', async () => {
    const { node } = await watchWorld()
    const notices = node.watch(WatchCursor.read(watchCursorOf(1n, [])), AbortSignal.abort())[Symbol.asyncIterator]()
    expect(await notices.next()).toEqual({ done: true, value: undefined })
  })

  it('receives the error when the history cannot be read', async () => {
    const { reader, node } = await watchWorld()
    reader.failure = unavailable(new Error('down'))
    const watcher = new Watcher(node.watch, watchCursorOf(1n, []))
    await settle()
    expect(watcher.failure).toMatchObject({ code: 'UNAVAILABLE' })
  })
})

describe('a resuming watcher that reads slowly', () => {
  it('receives more changes than the limit of waiting ones', async () => {
    const { time, reader, node } = await watchWorld(1, 60_000)
    const told = WatchCursor.read(node.feed.cursor())
    reader.put(changeAt(time, 'a'))
    await pass(time, 2000)
    const notices = node.watch(told, new AbortController().signal)[Symbol.asyncIterator]()
    await notices.next()
    time.pass(10)
    for (let number = 0; number <= 1000; number++) node.feed.hear(changeAt(time, `event-${number}`))
    const names = new Set<string | undefined>()
    for (let number = 0; number <= 1000; number++) names.add((await notices.next()).value?.change?.eventId)
    expect(names.size).toBe(1001)
  })

  it.each([
    ['the memory', 0],
    ['the store', 600_000],
  ])('receives changes from %s, and then the changes that appeared late', async (_, away) => {
    const { time, reader, node } = await watchWorld(1, 300_000)
    const told = WatchCursor.read(node.feed.cursor())
    reader.put(changeAt(time, 'a'))
    await pass(time, 1000 + away)
    const late = changeAt(time, 'late')
    await pass(time, 13_000)
    const notices = node.watch(told, new AbortController().signal)[Symbol.asyncIterator]()
    const first = await notices.next()
    node.feed.hear(late)
    await pass(time, 4000)
    const second = await notices.next()
    expect([first, second].map(({ value }) => value?.change?.eventId)).toEqual(['a', 'late'])
  })
})

describe('a crowd of resuming watchers', () => {
  it('within the memory of the feed costs the store nothing', async () => {
    const { time, reader, nodes, node } = await watchWorld(1, 60_000)
    const before = new Watcher(node.watch)
    await settle()
    before.stop()
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      const change = changeAt(time, name)
      reader.put(change)
      node.feed.hear(change)
      await pass(time, 5000)
    }
    reader.failure = unavailable(new Error('down'))
    const crowd = Array.from({ length: 10 }, () => new Watcher(nodeOf(nodes, 0).watch, before.cursor))
    await settle()
    for (const { told, failure } of crowd) {
      expect(failure).toBeUndefined()
      expect(told.map(nameOf)).toEqual(['a', 'b', 'c', 'd', 'e'])
    }
  })
})

describe('the feed', () => {
  it('continues to read after an outage of the store, and logs it once', async () => {
    const { time, reader, log, node } = await watchWorld()
    const watcher = new Watcher(node.watch)
    reader.failure = unavailable(new Error('down'))
    await pass(time, 60_000)
    for (const name of ['a', 'b', 'c', 'd']) reader.put(changeAt(time, name))
    await pass(time, 60_000)
    reader.failure = undefined
    await pass(time, 3000)
    expect(watcher.told.map(nameOf).sort()).toEqual(['a', 'b', 'c', 'd'])
    expect(log.of('changes cannot be read')).toHaveLength(1)
    expect(log.of('changes can be read again')).toHaveLength(1)
  })

  it.each([
    ['ahead', 3_600_000],
    ['back', -3_600_000],
  ])('G13 hides no change from any watcher when the clock of its machine is set %s by an hour', async (_, jump) => {
    const { time, reader, log } = await watchWorld()
    let ahead = 0
    const system = { now: () => new Date(time.clock.now().getTime() + ahead) }
    const clock = earlierOf(system, time.clock)
    const feed = createLiveFeed({ reader, log, clock, timers: time.timers, memory: 0 })
    feed.join()
    await feed.ready()
    const watcher = new Watcher(createWatch({ feed, reader, timers: time.timers }))
    for (const [name, change] of [
      ['a', 0],
      ['b', jump],
      ['c', -jump],
    ] as const) {
      ahead += change
      await pass(time, 10_000)
      feed.hear(changeAt(time, name))
      await pass(time, 10_000)
    }
    reader.put(changeAt(time, 'd'))
    await pass(time, 10_000)
    expect(watcher.told.map(nameOf)).toEqual(['a', 'b', 'c', 'd'])
  })
})

function nameOf(told: string): string {
  return told.split(' ')[0] ?? ''
}
