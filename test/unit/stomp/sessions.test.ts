import { describe, expect, it, vi } from 'vitest'
import { createAdmission } from '../../../lib/runtime/limits.ts'
import { createStompSessions } from '../../../lib/stomp/sessions.ts'
import { inProcessBus } from '../../support/fakes/bus.ts'
import { countingIds } from '../../support/fakes/ids.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { SESSION_LIMITS } from '../../support/fakes/session-limits.ts'
import { virtualTime } from '../../support/fakes/timers.ts'
import { recordingTransport } from '../../support/fakes/transport.ts'

function setUp(random = 0.5) {
  const time = virtualTime()
  const terminated: number[] = []
  const detach = vi.fn()
  const sessions = createStompSessions({
    bus: { ...inProcessBus(), attach: () => detach },
    gate: () => Promise.reject(new Error('nobody connects here')),
    admission: createAdmission(2, 1),
    watch: async function* () {},
    position: () => '',
    clock: time.clock,
    steady: time.clock,
    timers: time.timers,
    ids: countingIds(),
    log: recordingLog(),
    metrics: recordingMetrics(),
    limits: { ...SESSION_LIMITS, connectTimeout: 1_000_000 },
    random: () => random,
  })
  const open = (number: number) => {
    const transport = { ...recordingTransport(), terminate: () => void terminated.push(number) }
    return { transport, session: sessions.open(transport, () => {}) }
  }
  const hasEnded = (drained: Promise<void>) =>
    Promise.race([drained.then(() => true), new Promise(setImmediate).then(() => false)])
  return { time, sessions, open, terminated, detach, hasEnded }
}

describe('the sessions of a process', () => {
  it('leave nothing when they have ended', () => {
    const { sessions, open, time } = setUp()
    const { session } = open(1)
    open(2)
    sessions.close(session)
    expect([sessions.isDraining, time.pending()]).toEqual([false, 1])
  })

  it.each([
    [0, 0],
    [0.5, 250],
    [0.999, 499],
  ])('are disconnected in the first half of a drain of a second: with %d after %i milliseconds', (random, after) => {
    const { time, sessions, open } = setUp(random)
    const { transport } = open(1)
    void sessions.drain(1000)
    time.pass(after - 1)
    expect(transport.closes).toEqual([])
    time.pass(2)
    expect(transport.closes).toEqual([[1001, 'going away']])
  })

  it('accept no new one while they drain, and the drain ends with the last of them', async () => {
    const { sessions, open, hasEnded, time, terminated, detach } = setUp()
    const [one, other] = [open(1), open(2)]
    sessions.close(one.session)
    const drained = sessions.drain(1000)
    expect(sessions.isDraining).toBe(true)
    expect(await hasEnded(drained)).toBe(false)
    expect(detach).not.toHaveBeenCalled()
    sessions.close(other.session)
    expect(await hasEnded(drained)).toBe(true)
    expect(detach).toHaveBeenCalledOnce()
    time.pass(500)
    expect([terminated, time.pending()]).toEqual([[], 0])
  })

  it('that do not end are closed when the time is over', async () => {
    const { sessions, open, time, terminated, hasEnded } = setUp()
    const { session } = open(1)
    const drained = sessions.drain(1000)
    time.pass(999)
    expect(terminated).toEqual([])
    time.pass(1)
    expect(terminated).toEqual([1])
    expect(await hasEnded(drained)).toBe(false)
    sessions.close(session)
    expect(await hasEnded(drained)).toBe(true)
  })

  it('drain at once if there is none, and once for any number of calls', async () => {
    const { sessions, hasEnded } = setUp()
    const drained = sessions.drain(1000)
    expect(sessions.drain(1)).toBe(drained)
    expect(await hasEnded(drained)).toBe(true)
  })
})
