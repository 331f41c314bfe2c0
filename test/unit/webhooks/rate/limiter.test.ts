import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spareOf } from '../../../../lib/runtime/tally.ts'
import {
  createRateLimiter,
  NO_LIMIT,
  type RateLimiter,
  type RateLimiterParts,
} from '../../../../lib/webhooks/rate/limiter.ts'
import { type FixedClock, fixedClock } from '../../../support/fakes/clock.ts'
import { MemoryCounter } from '../../../support/fakes/counter.ts'
import { inFull } from '../../../support/full-runs.ts'

type AskedCounter = RateLimiterParts['counter']

const MINUTE = 60_000

/** The beginning of a minute. */
const START = new Date('2026-01-02T03:04:00.000Z')

const HERE = '192.0.2.1'

interface Failure {
  readonly cause: unknown
  readonly unjudged: number
}

function setUp(limitPerMinute = 100, instances = 1, wrap = (counter: AskedCounter) => counter) {
  const clock = fixedClock(START)
  const counter = new MemoryCounter()
  const failures: Failure[] = []
  const limiters = Array.from({ length: instances }, () =>
    createRateLimiter({
      counter: wrap(counter),
      perMinute: limitPerMinute,
      clock,
      onFailure: (cause, unjudged) => failures.push({ cause, unjudged }),
    }),
  )
  const limiter = limiters[0] ?? NO_LIMIT
  return { clock, counter, failures, limiter, limiters }
}

/** How many of so many calls, one after the other, are let through. */
async function letThrough(limiter: RateLimiter, calls: number, address = HERE, endpoint = 'payment'): Promise<number> {
  let count = 0
  for (let call = 0; call < calls; call++) if ((await limiter.wait(endpoint, address)) === 0) count += 1
  return count
}

/** The plain sliding-window counter: what is let through at a time decides about later times. */
function slidingWindow(limit: number) {
  const counts = new Map<number, number>()
  const used = (time: number) => {
    const minute = Math.floor(time / MINUTE)
    const weight = 1 - (time % MINUTE) / MINUTE
    return (counts.get(minute - 1) ?? 0) * weight + (counts.get(minute) ?? 0)
  }
  return {
    used,
    hasRoom: (time: number) => used(time) + 1 <= limit + 1e-9,
    count: (time: number) => counts.set(Math.floor(time / MINUTE), (counts.get(Math.floor(time / MINUTE)) ?? 0) + 1),
    inMinuteOf: (time: number) => counts.get(Math.floor(time / MINUTE)) ?? 0,
  }
}

/** Milliseconds between two calls: bursts, trickles and pauses. */
const gap = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.nat(2000) },
  { weight: 1, arbitrary: fc.nat(3 * MINUTE) },
)
const limit = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constantFrom(50, 100, 250))
const gaps = fc.array(gap, { maxLength: 400, size: 'max' })
const RUNS = { numRuns: inFull(100, 25) }

describe('W39 the 2⁶⁴ addresses of one IPv6 network', () => {
  it('are one caller, with one row', async () => {
    const { counter, limiter } = setUp()
    let through = 0
    for (let host = 1; host <= 160; host++) {
      through += await letThrough(limiter, 1, `2001:db8::${host.toString(16)}`)
    }
    expect(through).toBe(100)
    expect([...counter.tallies.keys()]).toEqual(['webhook#payment#2001:db8:0:0::/64'])
  })

  it('do not affect those of another network, or an IPv4 address', async () => {
    const { limiter } = setUp(1)
    expect(await letThrough(limiter, 2, '2001:db8::1')).toBe(1)
    expect(await letThrough(limiter, 1, '2001:db8:0:1::1')).toBe(1)
    expect(await letThrough(limiter, 1, '192.0.2.1')).toBe(1)
    expect(await letThrough(limiter, 1, '192.0.2.2')).toBe(1)
  })
})

describe('W07 the 101st call of a minute', () => {
  it('is refused, from one address at one endpoint', async () => {
    const { limiter } = setUp()
    expect(await letThrough(limiter, 101)).toBe(100)
    expect(await letThrough(limiter, 1, '192.0.2.2')).toBe(1)
    expect(await letThrough(limiter, 1, HERE, 'stripe')).toBe(1)
  })

  it('is refused by another instance as well', async () => {
    const { limiters } = setUp(100, 2)
    expect(await letThrough(limiters[0] ?? NO_LIMIT, 100)).toBe(100)
    expect(await letThrough(limiters[1] ?? NO_LIMIT, 1)).toBe(0)
  })

  it('is refused in parallel calls, for few requests', async () => {
    const { counter, limiter } = setUp()
    const waits = await Promise.all(Array.from({ length: 250 }, () => limiter.wait('payment', HERE)))
    expect(waits.filter((wait) => wait === 0)).toHaveLength(100)
    expect(counter.requests).toBeLessThanOrEqual(10)
  })

  it('waits until the window has moved on, and not for the next minute only', async () => {
    const { clock, limiter } = setUp()
    await letThrough(limiter, 100)
    expect(await limiter.wait('payment', HERE)).toBe(MINUTE + 600)
    clock.advance(MINUTE)
    expect(await limiter.wait('payment', HERE)).toBe(600)
    clock.advance(30_000)
    expect(await letThrough(limiter, 100)).toBe(50)
  })
})

describe('W34 a clock that jumps by an hour', () => {
  it.each([
    ['ahead', 60 * MINUTE],
    ['back', -60 * MINUTE],
  ])('%s and returns: the limit applies, and no caller waits for more than a minute', async (_, jump) => {
    const { clock, limiter, failures } = setUp()
    for (const milliseconds of [0, jump, -jump, 2 * MINUTE, jump, 2 * MINUTE]) {
      clock.advance(milliseconds)
      expect(await letThrough(limiter, 150)).toBeLessThanOrEqual(100)
      expect(await limiter.wait('payment', HERE)).toBeGreaterThan(0)
      expect(await limiter.wait('payment', HERE)).toBeLessThanOrEqual(MINUTE + 1000)
    }
    clock.advance(2 * MINUTE)
    expect(await letThrough(limiter, 150)).toBe(100)
    expect(failures).toEqual([])
  })

  it('of one of two instances blocks no caller at the other', async () => {
    const { counter, limiter } = setUp()
    const ahead = fixedClock(new Date(START.getTime() + 60 * MINUTE))
    const other = createRateLimiter({ counter, perMinute: 100, clock: ahead, onFailure: () => {} })
    for (let call = 0; call < 20; call++) {
      expect(await limiter.wait('payment', HERE)).toBe(0)
      expect(await other.wait('payment', HERE)).toBe(0)
    }
  })
})

describe('one instance', () => {
  it('decides like the plain sliding-window counter, and tells a refused caller the exact wait', async () => {
    await fc.assert(
      fc.asyncProperty(limit, gaps, async (limitPerMinute, pauses) => {
        const { clock, limiter } = setUp(limitPerMinute)
        const model = slidingWindow(limitPerMinute)
        for (const pause of pauses) {
          clock.advance(pause)
          const now = clock.now().getTime()
          const wait = await limiter.wait('payment', HERE)
          expect(wait === 0).toBe(model.hasRoom(now))
          if (wait > 0) {
            clock.advance(wait - 1)
            expect(await limiter.wait('payment', HERE)).toBe(1)
            clock.advance(1)
            expect(await limiter.wait('payment', HERE)).toBe(0)
          }
          model.count(clock.now().getTime())
        }
      }),
      RUNS,
    )
  })
})

describe('several instances', () => {
  const schedule = fc.array(fc.record({ pause: gap, instance: fc.nat(11) }), { maxLength: 400, size: 'max' })

  it('refuse no caller below nine tenths of the limit, for any distribution of the calls', async () => {
    await fc.assert(
      fc.asyncProperty(limit, schedule, async (limitPerMinute, calls) => {
        const { clock, limiters } = setUp(limitPerMinute, 12)
        const model = slidingWindow(limitPerMinute - spareOf({ most: limitPerMinute, length: MINUTE }))
        for (const { pause, instance } of calls) {
          clock.advance(pause)
          const now = clock.now().getTime()
          if (!model.hasRoom(now)) continue
          model.count(now)
          expect(await limiters[instance]?.wait('payment', HERE)).toBe(0)
        }
      }),
      RUNS,
    )
  })

  it('accept no more than the limit in a minute, and hardly more in a sliding one', async () => {
    await fc.assert(
      fc.asyncProperty(limit, schedule, async (limitPerMinute, calls) => {
        const { clock, limiters } = setUp(limitPerMinute, 12)
        const model = slidingWindow(limitPerMinute)
        for (const { pause, instance } of calls) {
          clock.advance(pause)
          const now = clock.now().getTime()
          if ((await limiters[instance]?.wait('payment', HERE)) !== 0) continue
          model.count(now)
          expect(model.inMinuteOf(now)).toBeLessThanOrEqual(limitPerMinute)
          expect(model.used(now)).toBeLessThanOrEqual(
            limitPerMinute + spareOf({ most: limitPerMinute, length: MINUTE }) + 1e-9,
          )
        }
      }),
      RUNS,
    )
  })

  it('decide the same at any interleaving of their requests', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        limit,
        fc.array(fc.nat(4), { maxLength: 150 }),
        async (scheduler, most, calls) => {
          const { limiters, failures } = setUp(most, 5, (counter) => crossing(counter, scheduler))
          const waits = Promise.all(calls.map((instance) => limiters[instance]?.wait('payment', HERE)))
          await scheduler.waitFor(waits)
          const through = (await waits).filter((wait) => wait === 0).length
          expect(through).toBeLessThanOrEqual(most)
          expect(through).toBeGreaterThanOrEqual(Math.min(calls.length, most - spareOf({ most, length: MINUTE })))
          expect(failures).toEqual([])
        },
      ),
    )
  })
})

/** Answers in an order that the scheduler chooses. */
function crossing(counter: AskedCounter, scheduler: fc.Scheduler): AskedCounter {
  return {
    take: scheduler.scheduleFunction(counter.take.bind(counter)),
    rollOver: scheduler.scheduleFunction(counter.rollOver.bind(counter)),
  }
}

describe('the cost of the limiter', () => {
  /** Calls at an even pace. */
  async function pace(limiter: RateLimiter, clock: FixedClock, perMinute: number, minutes: number): Promise<number> {
    let through = 0
    for (let call = 0; call < perMinute * minutes; call++) {
      if ((await limiter.wait('payment', HERE)) === 0) through += 1
      clock.advance(MINUTE / perMinute)
    }
    return through
  }

  it.each([
    ['at the limit', 100],
    ['in a flood', 6000],
  ])('is at most 0.1 requests per webhook, %s, minute after minute', async (_, perMinute) => {
    const { clock, counter, limiter } = setUp()
    const through = await pace(limiter, clock, perMinute, 5)
    expect(through).toBeGreaterThanOrEqual(4 * Math.min(perMinute, 99))
    expect(counter.requests).toBeLessThanOrEqual(0.1 * perMinute * 5)
    expect(counter.requests).toBeLessThanOrEqual(50)
  })

  it('is one request for the first call of an unknown caller, and none while its numbers last', async () => {
    const { counter, limiter } = setUp()
    expect(limiter.wait('payment', HERE)).toBeInstanceOf(Promise)
    await limiter.wait('payment', HERE)
    expect([limiter.wait('payment', HERE), counter.requests]).toEqual([0, 1])
  })

  it('keeps a row no longer than the minute after its own', async () => {
    const { counter, limiter } = setUp()
    await letThrough(limiter, 1)
    expect([...counter.expiry]).toEqual([['webhook#payment#192.0.2.1', new Date('2026-01-02T03:06:00.000Z')]])
  })
})

describe('ten thousand addresses', () => {
  it('are not all remembered: early ones are read again', async () => {
    const { counter, limiter } = setUp()
    const addressOf = (host: number) => `10.0.${host >> 8}.${host & 255}`
    for (let host = 0; host < 10_000; host++) await letThrough(limiter, 1, addressOf(host))
    expect(counter.requests).toBe(10_000)
    const remembered = (...hosts: number[]) => hosts.map((host) => limiter.wait('payment', addressOf(host)) === 0)
    expect(remembered(10_000 - 4096, 9999)).toEqual([true, true])
    for (let host = 10_001; host < 10_001 + 4094; host++) await letThrough(limiter, 1, addressOf(host))
    expect(remembered(10_000 - 4096, 9998)).toEqual([true, false])
  })

  it('cost a regular caller none of its numbers except the spare ones', async () => {
    const { limiter } = setUp()
    for (let call = 0; call < 90; call++) {
      expect(await letThrough(limiter, 1)).toBe(1)
      if (call < inFull(9, 3)) for (let host = 0; host < 4096; host++) await letThrough(limiter, 1, `a${call}-${host}`)
    }
  })
})

describe('W35 during an outage of the counter', () => {
  it('calls are accepted, and counted again a second later', async () => {
    const { clock, counter, limiter } = setUp(10)
    expect(await letThrough(limiter, 11)).toBe(10)
    counter.isDown = true
    expect(await letThrough(limiter, 50, '192.0.2.2')).toBe(50)
    counter.isDown = false
    clock.advance(999)
    expect(await letThrough(limiter, 50, '192.0.2.2')).toBe(50)
    clock.advance(1)
    expect(await letThrough(limiter, 50, '192.0.2.2')).toBe(10)
  })

  it('the outage is reported once a second, with the number of uncounted calls', async () => {
    const { clock, counter, failures, limiter } = setUp()
    counter.isDown = true
    await letThrough(limiter, 50)
    await Promise.all(['192.0.2.2', '192.0.2.3'].map((address) => limiter.wait('payment', address)))
    for (let second = 0; second < 2; second++) {
      clock.advance(1000)
      await letThrough(limiter, 1)
    }
    const cause = expect.objectContaining({ code: 'UNAVAILABLE' })
    expect(failures).toEqual([
      { cause, unjudged: 0 },
      { cause, unjudged: 52 },
      { cause, unjudged: 1 },
    ])
    expect(counter.requests).toBe(3)
  })

  it('the outage is reported once for all parallel failures', async () => {
    const { counter, failures, limiter } = setUp()
    counter.isDown = true
    await Promise.all(['192.0.2.2', '192.0.2.3'].map((address) => limiter.wait('payment', address)))
    expect([failures.length, counter.requests]).toEqual([1, 2])
  })

  it('a constantly changing tally has the same effect', async () => {
    const { limiter, failures } = setUp(100, 1, () => ({
      take: async () => ({ kind: 'refused', tally: undefined }),
      rollOver: async () => ({ kind: 'refused', tally: undefined }),
    }))
    expect(await letThrough(limiter, 1)).toBe(1)
    expect(failures).toEqual([{ cause: new Error('the tally kept changing'), unjudged: 0 }])
  })
})

it('without a limit no caller is refused', async () => {
  expect(await letThrough(NO_LIMIT, 1000)).toBe(1000)
})
