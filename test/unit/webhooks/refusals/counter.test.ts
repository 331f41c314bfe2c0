import { describe, expect, it } from 'vitest'
import { createRefusalCounter, isEachWritten } from '../../../../lib/webhooks/refusals/refusal.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { MemoryRefusals, refusalSample } from '../../../support/fakes/refusals.ts'
import { virtualTime } from '../../../support/fakes/timers.ts'

const GROUP = { source: 'stripe', reason: 'wrong-signature' } as const
const SECOND = 1000

function setUp(store = new MemoryRefusals(), time = virtualTime()) {
  const log = recordingLog()
  const counter = createRefusalCounter({ store, clock: time.clock, timers: time.timers, log })
  const note = (group: Parameters<typeof counter.note>[0] = GROUP, sample = refusalSample()) =>
    counter.note(group, async () => sample)
  return { store, time, log, counter, note, counts: () => store.writes.map(({ count }) => count) }
}

it.each([
  ['local', 'http://127.0.0.1:3000', true],
  ['local', 'http://localhost:3000', true],
  ['local', 'https://a-tunnel.example', false],
  ['prod', 'https://api.example', false],
  ['prod', 'http://127.0.0.1', false],
])('on the stage %s at %s, each refusal is written: %s', (STAGE, address, isEach) => {
  expect(isEachWritten({ STAGE, BASE_URL: new URL(address) })).toBe(isEach)
})

describe('of equal refusals', () => {
  it('the first is written at once, as one', async () => {
    const { note, store, time } = setUp()
    await note()
    const now = time.clock.now()
    expect(store.writes).toEqual([{ ...GROUP, ...refusalSample(), count: 1, firstAt: now, lastAt: now }])
    expect(time.pending()).toBe(0)
  })

  it('the first after ten seconds is written with all that were counted, as their sample', async () => {
    const { note, store, time } = setUp()
    await note()
    time.pass(4 * SECOND)
    const firstAt = time.clock.now()
    await note()
    time.pass(6 * SECOND)
    await note(GROUP, refusalSample({ address: '192.0.2.9' }))
    expect(store.writes.at(-1)).toMatchObject({ count: 2, firstAt, lastAt: time.clock.now(), address: '192.0.2.9' })
  })

  it('each is written at once, and counted exactly, without a pause', async () => {
    const { store, time, log } = setUp()
    const counter = createRefusalCounter({ store, clock: time.clock, timers: time.timers, log, pauseMs: 0 })
    for (let call = 0; call < 3; call++) await counter.note(GROUP, async () => refusalSample())
    expect([...store.rows.values()].map(({ count }) => count)).toEqual([3])
    expect(store.writes).toHaveLength(3)
  })

  it('no sample is taken of those that are only counted', async () => {
    const { counter } = setUp()
    let taken = 0
    const sampleOf = async () => {
      taken += 1
      return refusalSample()
    }
    await Promise.all([1, 2, 3].map(() => counter.note(GROUP, sampleOf)))
    expect(taken).toBe(1)
  })

  it.each([
    ['another source', { ...GROUP, source: 'github' }],
    ['another reason', { ...GROUP, reason: 'too-old' }],
  ] as const)('those of %s are counted separately', async (_, other) => {
    const { note, counts } = setUp()
    await Promise.all([note(), note(other), note(), note(other)])
    expect(counts()).toEqual([1, 1])
  })

  it('none waits longer because a clock was set back', async () => {
    const { note, counts, time } = setUp()
    await note()
    time.clock.advance(-3600 * SECOND)
    await note()
    expect(counts()).toEqual([1, 1])
  })
})

describe('W43 a store of refusals', () => {
  it('during an outage leaves a line in the log and loses no count', async () => {
    const { note, store, log, time, counts } = setUp()
    store.state = 'down'
    await note()
    expect(log.of('refusals not kept')).toEqual([{ ...GROUP, count: 1, cause: expect.any(Error) }])
    await note()
    time.pass(10 * SECOND)
    store.state = 'up'
    const firstAt = new Date(time.clock.now().getTime() - 10 * SECOND)
    await note()
    expect(counts()).toEqual([1, 3])
    expect([...store.rows.values()]).toMatchObject([{ count: 3, firstAt }])
  })

  it('during an outage is called once in ten seconds', async () => {
    const { note, store, time } = setUp()
    store.state = 'down'
    for (let call = 0; call < 201; call++) {
      await note()
      time.pass(100)
    }
    expect(store.writes).toHaveLength(3)
  })

  it('that hangs delays an answer by half a second', async () => {
    const { note, store, log, time } = setUp()
    store.state = 'hanging'
    const noted = note()
    await Promise.resolve()
    time.pass(499)
    expect(await Promise.race([noted, 'waiting'])).toBe('waiting')
    time.pass(1)
    await noted
    expect(log.of('refusals not kept')).toHaveLength(1)
    expect(time.pending()).toBe(0)
  })

  it('is not called for a sample that fails, and the failure is logged', async () => {
    const { counter, store, log } = setUp()
    await counter.note(GROUP, () => Promise.reject(new TypeError('bug')))
    expect(store.writes).toEqual([])
    expect(log.of('refusals not kept')).toHaveLength(1)
  })
})
