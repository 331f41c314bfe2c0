import { expect, it } from 'vitest'
import { countedFailures } from '../../../lib/auth/counted-failures.ts'
import { createLoginFailures } from '../../../lib/auth/login-failures.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { MemoryCounters } from '../../support/fakes/counters.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'

const HERE = '192.0.2.1'

function setUp() {
  const counters = new MemoryCounters()
  const metrics = recordingMetrics()
  const limits = { perUser: 1, perAddress: 0, windowSeconds: 300 }
  return { counters, metrics, failures: countedFailures(createLoginFailures(counters, limits, fixedClock()), metrics) }
}

it('failed passwords, and callers who have to wait, are numbers that name nobody', async () => {
  const { failures, metrics } = setUp()
  await failures.standingOf('alice', HERE)
  await failures.record('alice', HERE)
  await failures.standingOf('alice', HERE)
  await failures.clear('alice', HERE)
  await failures.standingOf('alice', HERE)
  expect(metrics.counted).toEqual([
    ['LoginFailed', {}],
    ['LoginThrottled', {}],
  ])
})

it('a failed password is counted while the store is down as well', async () => {
  const { counters, failures, metrics } = setUp()
  counters.isDown = true
  await expect(failures.record('alice', HERE)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(metrics.counted).toEqual([['LoginFailed', {}]])
})
