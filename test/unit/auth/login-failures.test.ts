import { describe, expect, it } from 'vitest'
import type { FailureLimits } from '../../../lib/auth/login-failures.ts'
import { createLoginFailures, type LoginAttempt } from '../../../lib/auth/login-failures.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { MemoryCounter } from '../../support/fakes/counter.ts'

const HERE = '192.0.2.1'
const ELSEWHERE = '2001:db8::1'
const HOUR = 3_600_000
const DAY = 24 * HOUR

/** 55 seconds before the end of a window of five minutes. */
const START = new Date('2026-01-02T03:04:05.000Z')

function setUp(changes: Partial<FailureLimits> = {}, start = START) {
  const clock = fixedClock(start)
  const counters = new MemoryCounter()
  const limits = { perUser: 2, perAddress: 4, perName: 8, windowSeconds: 300, ...changes }
  const failures = createLoginFailures(counters, limits, clock)
  const begin = async (username: string, address: string): Promise<LoginAttempt> => {
    const begun = await failures.begin(await failures.standingOf(username, address))
    if (begun.kind === 'refused') throw new Error(`refused for ${begun.retryAfterSeconds} seconds`)
    return begun
  }
  const failTimes = async (times: number, username: string, address: string) => {
    for (let count = 0; count < times; count += 1) await begin(username, address)
  }
  const succeed = async (username: string, address: string) => failures.forgive(await begin(username, address))
  const waitOf = async (username: string, address: string) =>
    (await failures.standingOf(username, address)).retryAfterSeconds
  return { clock, counters, failures, begin, failTimes, succeed, waitOf }
}

describe('failed passwords', () => {
  it('B08 are counted per user name and address, and per address', async () => {
    const { failTimes, waitOf } = setUp()
    await failTimes(1, 'alice', HERE)
    expect(await waitOf('alice', HERE)).toBeUndefined()
    await failTimes(1, 'alice', HERE)
    expect(await waitOf('alice', HERE)).toBe(205)
    expect(await waitOf('alice', ELSEWHERE)).toBeUndefined()
    expect(await waitOf('bob', HERE)).toBeUndefined()
    await failTimes(1, 'carol', HERE)
    await failTimes(1, 'dave', HERE)
    expect(await waitOf('bob', HERE)).toBe(130)
  })

  it('B26 are counted per user name, from all addresses without an earlier success for it', async () => {
    const { failTimes, succeed, waitOf } = setUp({ perName: 3 })
    await succeed('alice', HERE)
    await failTimes(1, 'alice', '198.51.100.1')
    await failTimes(2, 'alice', '198.51.100.2')
    expect(await waitOf('alice', ELSEWHERE)).toBe(155)
    expect(await waitOf('bob', ELSEWHERE)).toBeUndefined()
    await failTimes(2, 'alice', HERE)
    expect(await waitOf('alice', HERE)).toBe(205)
  })

  it('B26 of a known address do not count for the unknown ones', async () => {
    const { failTimes, succeed, waitOf } = setUp({ perName: 3 })
    await succeed('alice', HERE)
    await failTimes(2, 'alice', HERE)
    await failTimes(2, 'alice', '198.51.100.1')
    expect(await waitOf('alice', ELSEWHERE)).toBeUndefined()
  })

  it('B12 belong to one caller for all addresses of an IPv6 network', async () => {
    const { failTimes, succeed, waitOf } = setUp({ perName: 2 })
    await failTimes(1, 'alice', '2001:db8::1')
    await failTimes(1, 'alice', '2001:db8::ffff:1')
    expect(await waitOf('alice', '2001:db8::2')).toBe(205)
    expect(await waitOf('carol', '2001:db8:0:1::1')).toBeUndefined()
    await succeed('bob', '2001:db8::3')
    await failTimes(2, 'bob', '198.51.100.1')
    expect(await waitOf('bob', '2001:db8::4')).toBeUndefined()
    expect(await waitOf('bob', '2001:db8:0:1::1')).toBe(205)
  })

  it.each([
    ['ahead', HOUR],
    ['back', -HOUR],
  ])(
    'B22 start again after the clock jumped by more than a window, and no block lasts beyond the next window: an hour %s',
    async (_, jump) => {
      const { clock, failTimes, waitOf } = setUp()
      await failTimes(2, 'alice', HERE)
      for (const milliseconds of [jump, -jump]) {
        clock.advance(milliseconds)
        expect(await waitOf('alice', HERE)).toBeUndefined()
        await failTimes(2, 'alice', HERE)
        expect(await waitOf('alice', HERE)).toBe(205)
      }
      clock.advance(205_000)
      expect(await waitOf('alice', HERE)).toBeUndefined()
    },
  )

  it('B22 still count after the clock was set back by less than a window', async () => {
    const { clock, failures, failTimes, waitOf } = setUp()
    clock.advance(55_000)
    await failTimes(2, 'alice', HERE)
    clock.advance(-60_000)
    const standing = await failures.standingOf('alice', HERE)
    expect(await failures.begin(standing)).toEqual({ kind: 'refused', retryAfterSeconds: 450 })
    clock.advance(60_000 + 449_999)
    expect(await waitOf('alice', HERE)).toBe(1)
    clock.advance(1)
    expect(await waitOf('alice', HERE)).toBeUndefined()
  })

  it('B22 are accepted from a known address although the clock was set back since', async () => {
    const { clock, failTimes, succeed, waitOf } = setUp({ perName: 2 })
    await succeed('alice', HERE)
    clock.advance(-HOUR)
    await failTimes(2, 'alice', ELSEWHERE)
    expect(await waitOf('alice', HERE)).toBeUndefined()
  })

  it('B20 store no name: a name is stored as a hash, and so is an address that is kept for long', async () => {
    const { counters, failTimes, succeed } = setUp()
    await succeed('alice', HERE)
    await failTimes(1, 'alice', ELSEWHERE)
    expect([...counters.tallies.keys()]).toEqual([
      'login#192.0.2.1',
      expect.stringMatching(/^login#\*#[\w-]{43}$/),
      expect.stringMatching(/^login#known#[\w-]{43}$/),
      expect.stringMatching(/^login#2001:db8:0:0::\/64#[\w-]{43}$/),
      'login#2001:db8:0:0::/64',
    ])
    expect([...counters.tallies.keys()].join()).not.toMatch(/alice/i)
  })

  it.each<[string, Partial<FailureLimits>, number | undefined]>([
    ['only the user', { perAddress: 0, perName: 0 }, 205],
    ['only the address', { perUser: 0, perName: 0 }, 130],
    ['only the name', { perUser: 0, perAddress: 0, perName: 4 }, 130],
    ['none of them', { perUser: 0, perAddress: 0, perName: 0 }, undefined],
  ])('are limited for %s if the other limits are 0', async (_, limits, retryAfterSeconds) => {
    const { failures, waitOf } = setUp(limits)
    for (let count = 0; count < 5; count += 1) await failures.begin(await failures.standingOf('alice', HERE))
    expect(await waitOf('alice', HERE)).toBe(retryAfterSeconds)
  })

  it.each([
    ['2026-01-02T03:05:00.000Z', 300, 450],
    ['2026-01-02T03:09:59.999Z', 300, 151],
    ['2026-01-02T03:04:05.000Z', 1.5, 2],
  ])('at %s, in windows of %f seconds, block for %i seconds', async (start, windowSeconds, seconds) => {
    const { failTimes, waitOf } = setUp({ windowSeconds }, new Date(start))
    await failTimes(2, 'alice', HERE)
    expect(await waitOf('alice', HERE)).toBe(seconds)
  })

  it('weigh less and less in the next window, and their counters can be deleted after it', async () => {
    const { clock, counters, failTimes, waitOf } = setUp()
    await failTimes(2, 'alice', HERE)
    expect([...counters.expiry.values()]).toEqual(Array(3).fill(new Date('2026-01-02T03:10:00.000Z')))
    clock.advance(204_999)
    expect(await waitOf('alice', HERE)).toBe(1)
    clock.advance(1)
    await failTimes(1, 'alice', HERE)
    expect(await waitOf('alice', HERE)).toBe(150)
    expect([...counters.expiry.values()]).toEqual(Array(3).fill(new Date('2026-01-02T03:15:00.000Z')))
    clock.advance(150_000)
    expect(await waitOf('alice', HERE)).toBeUndefined()
  })

  it("are reset by a success: the user's from that address, in both windows, but not the address's", async () => {
    const { clock, failTimes, succeed, waitOf } = setUp()
    await failTimes(1, 'alice', HERE)
    await failTimes(2, 'alice', ELSEWHERE)
    clock.advance(55_000)
    await succeed('ALICE', HERE)
    await failTimes(2, 'alice', HERE)
    expect(await waitOf('bob', HERE)).toBeUndefined()
    await failTimes(1, 'bob', HERE)
    expect(await waitOf('carol', HERE)).toBe(300)
    expect(await waitOf('alice', ELSEWHERE)).toBe(150)
  })

  it('leave no count for a successful attempt', async () => {
    const { counters, succeed } = setUp()
    for (let count = 0; count < 9; count += 1) await succeed('alice', HERE)
    expect([...counters.tallies]).toEqual([
      ['login#192.0.2.1', { window: 5_891_076, before: 0, taken: 0, spare: 0 }],
      [expect.stringMatching(/^login#\*#/), { window: 5_891_076, before: 0, taken: 0, spare: 0 }],
      [expect.stringMatching(/^login#known#/), { window: 0, before: 0, taken: START.getTime(), spare: 0 }],
    ])
  })

  it('B09 that run in parallel with a right one are reset if it was counted last, and stay otherwise', async () => {
    const { begin, failures, failTimes, waitOf } = setUp({ perUser: 3 })
    const [first] = [await begin('alice', HERE), await begin('alice', HERE), await begin('alice', HERE)]
    await failures.forgive(first)
    expect(await waitOf('alice', HERE)).toBe(155)
    const [, last] = [await begin('alice', ELSEWHERE), await begin('alice', ELSEWHERE)]
    await failures.forgive(last)
    await failTimes(3, 'alice', ELSEWHERE)
  })

  it('are given back after an attempt without a verdict, and never below zero', async () => {
    const { begin, counters, failures, succeed } = setUp()
    const attempt = await begin('alice', HERE)
    await succeed('alice', HERE)
    await failures.giveBack(attempt)
    await failures.giveBack(attempt)
    expect([...counters.tallies.values()].filter(({ taken }) => taken < 0)).toEqual([])
  })

  it('B25 are given back to the window in which they were counted, also once the next has begun', async () => {
    const { begin, clock, failures, failTimes, waitOf } = setUp()
    const attempt = await begin('alice', HERE)
    clock.advance(55_000)
    await failTimes(1, 'alice', HERE)
    expect(await waitOf('alice', HERE)).toBe(300)
    await failures.giveBack(attempt)
    await failTimes(1, 'alice', HERE)
    expect(await waitOf('alice', HERE)).toBe(450)
  })

  it('B09 count for the address and the name only if they count for the user', async () => {
    const { failures, counters } = setUp()
    const standings = await Promise.all(Array.from({ length: 4 }, () => failures.standingOf('alice', HERE)))
    const begun = await Promise.all(standings.map((standing) => failures.begin(standing)))
    expect(begun.map(({ kind }) => kind)).toEqual(['counted', 'counted', 'refused', 'refused'])
    expect(begun[3]).toEqual({ kind: 'refused', retryAfterSeconds: 205 })
    expect([...counters.tallies.values()].map(({ taken }) => taken)).toEqual([2, 2, 2])
    expect(counters.asked).toMatchObject({ take: 8, rollOver: 0, giveBack: 0 })
  })

  it('B09 are given back to the user if the limit of the address is reached', async () => {
    const { counters, failures, failTimes } = setUp()
    await failTimes(1, 'bob', HERE)
    const standings = await Promise.all(['a', 'b', 'c', 'd'].map((name) => failures.standingOf(name, HERE)))
    const begun = await Promise.all(standings.map((standing) => failures.begin(standing)))
    expect(begun.map(({ kind }) => kind)).toEqual(['counted', 'counted', 'counted', 'refused'])
    const ofUsers = [...counters.tallies].filter(([name]) => name.startsWith('login#192.0.2.1#'))
    expect(ofUsers.map(([, { taken }]) => taken)).toEqual([1, 1, 1, 1, 0])
  })

  it('B25 that start before the border between two windows and end after it count in the new one', async () => {
    const { clock, failures, failTimes, waitOf } = setUp()
    const late = await failures.standingOf('alice', HERE)
    await failTimes(1, 'alice', HERE)
    clock.advance(55_000)
    expect(await failures.begin(late)).toMatchObject({ kind: 'counted' })
    expect(await waitOf('alice', HERE)).toBe(300)
    expect(await failures.begin(late)).toEqual({ kind: 'refused', retryAfterSeconds: 300 })
  })

  it.each([
    ['Alice', 'ALICE'],
    ['Jos\u00e9', 'jose\u0301'],
  ])('of %s and %s belong to one user', async (one, other) => {
    const { failTimes, waitOf } = setUp()
    await failTimes(1, one, HERE)
    await failTimes(1, other, HERE)
    expect(await waitOf(one, HERE)).toBe(205)
  })

  it('of impossible names are counted as well', async () => {
    const { failTimes, waitOf } = setUp()
    await failTimes(2, 'x'.repeat(10_000), HERE)
    expect(await waitOf('x'.repeat(10_000), HERE)).toBe(205)
  })

  it('are 503 while the store is down', async () => {
    const { begin, counters, failures } = setUp()
    const attempt = await begin('alice', HERE)
    const standing = await failures.standingOf('alice', HERE)
    counters.isDown = true
    const asked = [
      failures.standingOf('alice', HERE),
      failures.begin(standing),
      failures.giveBack(attempt),
      failures.forgive(attempt),
      failures.remember(standing),
    ]
    for (const answer of asked) await expect(answer).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  it('are 503 while a count keeps changing', async () => {
    const { counters, failures } = setUp()
    counters.take = async () => ({ kind: 'refused', tally: undefined })
    const standing = await failures.standingOf('alice', HERE)
    await expect(failures.begin(standing)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})

describe('an address with an earlier success for a name', () => {
  it('is remembered for 30 days, and the time is renewed once a day', async () => {
    const { clock, counters, failures, succeed } = setUp()
    await succeed('alice', HERE)
    expect(Math.max(...[...counters.expiry.values()].map((expiry) => expiry.getTime()))).toBe(
      START.getTime() + 30 * DAY,
    )
    clock.advance(DAY - 1)
    await succeed('alice', HERE)
    expect(counters.asked.set).toBe(1)
    clock.advance(1)
    await failures.remember(await failures.standingOf('alice', HERE))
    await failures.remember(await failures.standingOf('alice', HERE))
    expect(counters.asked.set).toBe(2)
  })

  it('is not remembered if names have no limit', async () => {
    const { counters, succeed } = setUp({ perName: 0 })
    await succeed('alice', HERE)
    expect(counters.asked.set).toBe(0)
  })
})
