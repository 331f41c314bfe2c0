import { expect, it } from 'vitest'
import { WatchCursor } from '../../../../lib/webhooks/live/cursor.ts'
import { createLags, createWatch } from '../../../../lib/webhooks/live/watch.ts'
import { changeAt, pass, watchWorld } from '../../../support/watch-world.ts'

async function lagging() {
  const { time, reader, node } = await watchWorld()
  const lags = createLags(time.clock)
  const watch = createWatch({ feed: node.feed, reader, timers: time.timers, lags })
  const abort = new AbortController()
  const open = (cursor?: string) =>
    watch(cursor === undefined ? undefined : WatchCursor.read(cursor), abort.signal)[Symbol.asyncIterator]()
  return { time, reader, feed: node.feed, lags, open }
}

it('the lag of a watcher is the age of the oldest change that it has not received', async () => {
  const { time, feed, lags, open } = await lagging()
  const [slow, fast] = [open(), open()]
  for (const notices of [slow, fast]) await notices.next()
  expect(lags.greatest()).toBe(0)
  feed.hear(changeAt(time, 'a'))
  await fast.next()
  time.pass(4000)
  feed.hear(changeAt(time, 'b'))
  time.pass(1000)
  expect(lags.greatest()).toBe(5000)
  await slow.next()
  expect(lags.greatest()).toBe(1000)
})

it('the lag of a resuming watcher is the unread part of the history, and nothing after its end', async () => {
  const { time, reader, feed, lags, open } = await lagging()
  const cursor = feed.cursor()
  for (const eventId of ['a', 'b']) reader.put(changeAt(time, eventId))
  await pass(time, 3_600_000)
  const notices = open(cursor)
  await notices.next()
  expect(lags.greatest()).toBeGreaterThanOrEqual(3_600_000)
  await notices.return?.()
  expect(lags.greatest()).toBe(0)
})
