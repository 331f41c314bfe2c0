import { expect, it } from 'vitest'
import { WatchCursor, watchCursorOf } from '../../../../lib/webhooks/live/cursor.ts'
import { filtered } from '../../../../lib/webhooks/live/filter.ts'
import { QUIET_MS, type Watch } from '../../../../lib/webhooks/live/watch.ts'
import { fixedClock } from '../../../support/fakes/clock.ts'

const event = { id: '7', source: 'shop', eventType: 't', status: 'FAILED', receivedAt: 'now', changeId: '1' }
const signal = new AbortController().signal

/** What a watcher is told who wants one event, of changes that come so many milliseconds apart. */
async function told(apart: number, eventIds: readonly (string | undefined)[]) {
  const clock = fixedClock()
  const watch: Watch = async function* () {
    for (const [index, eventId] of eventIds.entries()) {
      if (index > 0) clock.advance(apart)
      const cursor = `${index}`
      yield eventId === undefined ? { change: undefined, cursor } : { change: { ...event, eventId }, cursor }
    }
  }
  const filter = { after: undefined, matches: ({ eventId }: { eventId: string }) => eventId === 'a', isScoped: false }
  const heard = []
  for await (const { change, cursor } of filtered({ watch, clock }, filter, signal)) {
    heard.push([change?.eventId, cursor])
  }
  return heard
}

it('a watcher receives the changes of its filter, and its position', async () => {
  expect(await told(1, [undefined, 'a', 'b', 'a'])).toEqual([
    [undefined, '0'],
    ['a', '1'],
    ['a', '3'],
  ])
})

it('a watcher without matching changes receives its position at once, and then from time to time', async () => {
  expect(await told(QUIET_MS / 2, ['b', 'b', 'b', 'b', 'a', 'b'])).toEqual([
    [undefined, '0'],
    [undefined, '2'],
    ['a', '4'],
  ])
})

it('K18 a watcher with a limited scope receives cursors that name nothing outside of it', async () => {
  const cursor = watchCursorOf(1n, [[17, 2n]])
  const watch: Watch = async function* () {
    yield { change: undefined, cursor }
  }
  const filter = { after: undefined, matches: () => true, isScoped: true }
  for await (const quiet of filtered({ watch, clock: fixedClock() }, filter, signal)) {
    expect([...(WatchCursor.read(quiet.cursor)?.named ?? ['none'])]).toEqual([])
  }
})
