import { describe, expect, it } from 'vitest'
import { maximumHops, nextRetryAt } from '../../../../lib/webhooks/retry/policy.ts'
import { START } from '../../../support/fakes/clock.ts'
import { MINUTE, POLICY } from '../../../support/fakes/webhooks.ts'

const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE)

describe('the next retry', () => {
  it.each([
    [0, 0, 5],
    [1, 5, 15],
    [2, 15, 60],
  ])('after %i attempts is at receivedAt plus the delay, if the last was in time', (attempts, now, minutes) => {
    expect(nextRetryAt({ receivedAt: START, attempts }, at(now), POLICY)).toEqual(at(minutes))
  })

  it.each([
    [0, 5],
    [1, 10],
    [2, 45],
  ])('after %i attempts, the last of them late, is %i minutes after it', (attempts, minutes) => {
    expect(nextRetryAt({ receivedAt: START, attempts }, at(1000), POLICY)).toEqual(at(1000 + minutes))
  })

  it.each([
    [1, 1000, 1015],
    [2, 1015, 1060],
  ])('counts from the order of an operator: after %i attempts, the last at %i, at %i', (attempts, now, minutes) => {
    const tried = { receivedAt: START, orderedAt: at(1000), attempts }
    expect(nextRetryAt(tried, at(now), POLICY)).toEqual(at(minutes))
  })

  it.each([3, 4, 100])('does not exist if %i attempts reach the maximum', (attempts) => {
    expect(nextRetryAt({ receivedAt: START, attempts }, at(60), POLICY)).toBeUndefined()
  })

  it.each([
    [4, 65, 70],
    [3, 10, 60],
  ])(
    'beyond the list uses the last delay, but not before one scan interval after the last',
    (attempts, now, minutes) => {
      const policy = { ...POLICY, maxAttempts: 10 }
      expect(nextRetryAt({ receivedAt: START, attempts }, at(now), policy)).toEqual(at(minutes))
    },
  )
})

describe('a hint is requeued', () => {
  it.each([
    ['a day and a bit', [24 * 60 * MINUTE + 1], 97],
    ['three seconds', [0.05 * MINUTE], 1],
  ] as const)('for a delay of %s as often as necessary, and five times more', (_, delays, hops) => {
    const [first = 0, ...others] = delays
    expect(maximumHops({ ...POLICY, delays: [first, ...others] })).toBe(hops + 5)
  })

  it('as often as a scan interval needs that is longer than all delays', () => {
    expect(maximumHops({ ...POLICY, delays: [MINUTE], scanInterval: 60 * MINUTE })).toBe(9)
  })
})
