import { describe, expect, it } from 'vitest'
import type { Demand, Tally } from '../../../../lib/runtime/tally.ts'
import {
  type CallerState,
  keepLease,
  leaseDemand,
  newCallerState,
  usePermit,
  waitOf,
} from '../../../../lib/webhooks/rate/lease.ts'

const MINUTE = 60_000
const M = 29_000_000
const START = M * MINUTE
const LIMIT = { most: 100, length: MINUTE }

function tally(changes: Partial<Tally> = {}): Tally {
  return { window: M, before: 0, taken: 0, spare: 0, ...changes }
}

/** One that has seen a tally and, of the last numbers taken from it, used some. */
function callerWith(seen: Tally, count = 0, used = count): CallerState {
  const caller = newCallerState('test')
  caller.seen = seen
  if (count > 0) keepLease(caller, seen, count)
  for (let number = 0; number < used; number++) usePermit(caller)
  return caller
}

describe('a demand', () => {
  it.each<[string, Tally, Partial<Demand>]>([
    ['is for ten numbers ahead', tally(), { count: 11, spare: 10, maximumTaken: 89, maximumSpare: 0 }],
    [
      'is for as many as no other instance has ahead',
      tally({ taken: 7, spare: 6 }),
      { count: 5, spare: 4, maximumSpare: 6 },
    ],
    [
      'is for one, whatever is unused, if others have all of them',
      tally({ taken: 11, spare: 10 }),
      { count: 1, spare: 0, maximumSpare: LIMIT.most },
    ],
    ['is for no more than are left', tally({ taken: 98 }), { count: 2, spare: 1, maximumTaken: 98 }],
    ['is for one that is open', tally({ before: 100, taken: 40 }), { count: 11, maximumTaken: 49 }],
    ['is for one that is open to the millisecond', tally({ before: 97, taken: 40 }), { count: 11, maximumTaken: 50 }],
  ])('%s', (_, seen, wanted) => {
    const { window, before } = seen
    expect(leaseDemand(callerWith(seen), START + MINUTE / 2, LIMIT)).toMatchObject({ window, before, ...wanted })
  })

  it('of an unknown caller is for the first numbers', () => {
    expect(leaseDemand(newCallerState('test'), START + MINUTE / 2, LIMIT)).toEqual({
      window: M,
      before: 0,
      count: 11,
      spare: 10,
      maximumTaken: 89,
      maximumSpare: 0,
    })
  })

  it('gives back the rest of its last range', () => {
    const caller = callerWith(tally({ taken: 11, spare: 10 }), 11)
    expect(leaseDemand(caller, START, LIMIT)).toMatchObject({ count: 11, spare: 0, maximumSpare: 10 })
  })

  it('gives back nothing of another minute', () => {
    const caller = callerWith(tally({ window: M - 1, taken: 11, spare: 10 }), 11)
    expect(leaseDemand(caller, START, LIMIT)).toMatchObject({ window: M, before: 11, count: 11, spare: 10 })
  })
})

describe('the calls of the minute before are', () => {
  const FIRST = { window: M + 1, count: 11, spare: 10 }

  it('those that this instance has counted, and those that others must have counted', () => {
    const seen = tally({ taken: 50, spare: 9 })
    expect(leaseDemand(callerWith(seen, 5, 2), START + MINUTE, LIMIT)).toMatchObject({ ...FIRST, before: 42 })
    expect(leaseDemand(callerWith(seen), START + MINUTE, LIMIT)).toMatchObject({ ...FIRST, before: 41 })
  })

  it('counted without the range of an earlier minute', () => {
    const caller = callerWith(tally({ window: M - 1, taken: 11, spare: 10 }), 11, 5)
    caller.seen = tally({ taken: 50, spare: 9 })
    expect(leaseDemand(caller, START + MINUTE, LIMIT)).toMatchObject({ ...FIRST, before: 41 })
  })
})

describe('a caller waits', () => {
  it('for the counter, when it is unknown or a number may be left', () => {
    expect(waitOf(newCallerState('test'), START, LIMIT)).toBeUndefined()
    expect(waitOf(callerWith(tally({ taken: 11 }), 11), START, LIMIT)).toBeUndefined()
  })

  it('for its next number to open', () => {
    const caller = callerWith(tally({ before: 100, taken: 11 }), 11, 0)
    expect([0, 600, 601].map((elapsed) => waitOf(caller, START + elapsed, LIMIT))).toEqual([600, 0, 0])
  })

  it('for any number to open, when none is left', () => {
    expect(waitOf(callerWith(tally({ taken: 100 }), 1), START + 1, LIMIT)).toBe(MINUTE + 599)
  })

  it('not at all, while its numbers last', () => {
    expect(waitOf(callerWith(tally({ taken: 11 }), 11, 10), START, LIMIT)).toBe(0)
  })

  it('not for a slow clock', () => {
    const caller = callerWith(tally({ taken: 11 }), 11, 10)
    expect(waitOf(caller, START - 5, LIMIT)).toBe(0)
    expect(waitOf(callerWith(tally({ taken: 100 })), START - 5, LIMIT)).toBe(MINUTE + 600)
  })
})
