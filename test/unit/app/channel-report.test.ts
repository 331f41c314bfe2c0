import { expect, it } from 'vitest'
import { reportEveryMinute } from '../../../lib/app/channels.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { virtualTime } from '../../support/fakes/timers.ts'

function reporting() {
  const time = virtualTime()
  const metrics = recordingMetrics()
  /** How much was measured when it was written. */
  const published: number[] = []
  const conclude = async () => void published.push(metrics.measured.length)
  let sessions = 0
  const stop = reportEveryMinute({
    metrics,
    conclude,
    timers: time.timers,
    gauges: { Sessions: () => sessions, WatchLag: () => 7 },
  })
  return { time, metrics, published, stop, take: (count: number) => (sessions = count) }
}

it('the numbers of the channels are measured and written once a minute', () => {
  const { time, metrics, published, take } = reporting()
  time.pass(59_999)
  expect(published).toEqual([])
  take(3)
  time.pass(1)
  take(5)
  time.pass(60_000)
  expect(metrics.measured).toEqual([
    ['Sessions', 3],
    ['WatchLag', 7],
    ['Sessions', 5],
    ['WatchLag', 7],
  ])
  expect(published).toEqual([2, 4])
})

it('the remaining counts are written when the channels stop, and nothing after them', async () => {
  const { time, published, stop } = reporting()
  await stop()
  time.pass(120_000)
  expect([published, time.pending()]).toEqual([[0], 0])
})
