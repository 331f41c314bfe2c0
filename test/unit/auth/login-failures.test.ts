import { describe, expect, it } from 'vitest'
import { createLoginFailures, type FailureLimits } from '../../../lib/auth/login-failures.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { MemoryCounters } from '../../support/fakes/counters.ts'

const HERE = '192.0.2.1'
const HOUR = 3_600_000
const ELSEWHERE = '2001:db8::1'

function setUp(changes: Partial<FailureLimits> = {}, start = new Date('2026-01-02T03:04:05.000Z')) {
  const clock = fixedClock(start)
  const counters = new MemoryCounters()
  const limits = { perUser: 2, perAddress: 4, windowSeconds: 300, ...changes }
  const failures = createLoginFailures(counters, limits, clock)
  const record = async (username: string, address: string, times: number) => {
    for (let count = 0; count < times; count += 1) await failures.record(username, address)
  }
  return { clock, counters, failures, record }
}

describe('failed passwords', () => {
  it('are counted per user name and address, and per address', async () => {
    const { failures, record } = setUp()
    expect(await failures.standingOf('alice', HERE)).toEqual({ retryAfterSeconds: undefined, hasFailed: false })
    await record('alice', HERE, 1)
    expect(await failures.standingOf('alice', HERE)).toEqual({ retryAfterSeconds: undefined, hasFailed: true })
    await record('alice', HERE, 1)
    expect((await failures.standingOf('alice', HERE)).retryAfterSeconds).toBe(55)
    expect((await failures.standingOf('alice', ELSEWHERE)).retryAfterSeconds).toBeUndefined()
    expect(await failures.standingOf('bob', HERE)).toEqual({ retryAfterSeconds: undefined, hasFailed: false })
    await record('carol', HERE, 1)
    await record('dave', HERE, 1)
    expect(await failures.standingOf('bob', HERE)).toEqual({ retryAfterSeconds: 55, hasFailed: false })
  })

  it('B12 are those of one caller, whichever address of an IPv6 network they come from', async () => {
    const { failures, record } = setUp()
    await record('alice', '2001:db8::1', 1)
    await record('alice', '2001:db8::ffff:1', 1)
    expect((await failures.standingOf('alice', '2001:db8::2')).retryAfterSeconds).toBe(55)
    expect((await failures.standingOf('alice', '2001:db8:0:1::1')).retryAfterSeconds).toBeUndefined()
    await record('bob', '2001:db8::3', 2)
    expect((await failures.standingOf('carol', '2001:db8::4')).retryAfterSeconds).toBe(55)
  })

  it.each([
    ['ahead', HOUR],
    ['back', -HOUR],
  ])('B22 hold again in the window that a clock jumps to, and end no later than it: an hour %s', async (_, jump) => {
    const { clock, failures, record } = setUp()
    await record('alice', HERE, 2)
    clock.advance(jump)
    expect((await failures.standingOf('alice', HERE)).retryAfterSeconds).toBeUndefined()
    await record('alice', HERE, 2)
    expect((await failures.standingOf('alice', HERE)).retryAfterSeconds).toBe(55)
    clock.advance(-jump)
    expect((await failures.standingOf('alice', HERE)).retryAfterSeconds).toBe(55)
    clock.advance(55_000)
    expect((await failures.standingOf('alice', HERE)).retryAfterSeconds).toBeUndefined()
  })

  it('are counted under a hash of the name, which is in no counter', async () => {
    const { counters, record } = setUp()
    await record('alice', HERE, 1)
    expect([...counters.counts.keys()]).toEqual([
      expect.stringMatching(/^login#5891076#192\.0\.2\.1#[\w-]{43}$/),
      'login#5891076#192.0.2.1',
    ])
  })

  it.each<[string, Partial<FailureLimits>, number | undefined]>([
    ['the user and not the address', { perAddress: 0 }, 55],
    ['the address and not the user', { perUser: 0 }, 55],
    ['neither', { perUser: 0, perAddress: 0 }, undefined],
  ])('are limited for %s where the other limit is 0', async (_, limits, retryAfterSeconds) => {
    const { failures, record } = setUp(limits)
    await record('alice', HERE, 5)
    expect((await failures.standingOf('alice', HERE)).retryAfterSeconds).toBe(retryAfterSeconds)
  })

  it.each([
    ['2026-01-02T03:05:00.000Z', 300, 300],
    ['2026-01-02T03:09:59.000Z', 300, 1],
    ['2026-01-02T03:09:59.999Z', 300, 1],
    ['2026-01-02T03:04:05.000Z', 60, 55],
    ['2026-01-02T03:04:05.000Z', 1.5, 1],
    ['1970-01-01T00:00:00.000Z', 2.5, 3],
  ])('block from %s on, in windows of %f seconds, for %i seconds', async (start, windowSeconds, seconds) => {
    const { failures, record } = setUp({ windowSeconds }, new Date(start))
    await record('alice', HERE, 2)
    expect((await failures.standingOf('alice', HERE)).retryAfterSeconds).toBe(seconds)
  })

  it('are over when the window moves on, and their counters may go', async () => {
    const { clock, counters, failures, record } = setUp()
    await record('alice', HERE, 9)
    expect([...counters.expiry.values()]).toEqual([
      new Date('2026-01-02T03:05:00.000Z'),
      new Date('2026-01-02T03:05:00.000Z'),
    ])
    clock.advance(54_999)
    expect((await failures.standingOf('alice', HERE)).retryAfterSeconds).toBe(1)
    clock.advance(1)
    expect(await failures.standingOf('alice', HERE)).toEqual({ retryAfterSeconds: undefined, hasFailed: false })
  })

  it("are forgiven by a success: the user's from that address, not the address's", async () => {
    const { failures, record } = setUp()
    await record('alice', HERE, 2)
    await record('alice', ELSEWHERE, 2)
    await failures.clear('ALICE', HERE)
    expect(await failures.standingOf('alice', HERE)).toEqual({ retryAfterSeconds: undefined, hasFailed: false })
    expect((await failures.standingOf('alice', ELSEWHERE)).retryAfterSeconds).toBe(55)
    await record('bob', HERE, 2)
    expect((await failures.standingOf('alice', HERE)).retryAfterSeconds).toBe(55)
  })

  it.each([
    ['Alice', 'ALICE'],
    ['Jos\u00e9', 'jose\u0301'],
  ])('of %s and %s are those of one user', async (one, other) => {
    const { failures, record } = setUp()
    await record(one, HERE, 1)
    await record(other, HERE, 1)
    expect((await failures.standingOf(one, HERE)).retryAfterSeconds).toBe(55)
  })

  it('B20 name nobody in the store: a name is kept as a hash', async () => {
    const { counters, record } = setUp()
    await record('alice', HERE, 1)
    expect([...counters.counts.keys()].join()).not.toMatch(/alice/i)
  })

  it('of names that no user can have are counted as well', async () => {
    const { failures, record } = setUp()
    await record('x'.repeat(10_000), HERE, 2)
    expect((await failures.standingOf('x'.repeat(10_000), HERE)).retryAfterSeconds).toBe(55)
  })

  it('are 503 while the store is down', async () => {
    const { counters, failures } = setUp()
    counters.isDown = true
    const asked = [failures.standingOf('a', HERE), failures.record('a', HERE), failures.clear('a', HERE)]
    for (const answer of asked) await expect(answer).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})
