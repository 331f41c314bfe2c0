import { describe, expect, it } from 'vitest'
import { nextRetryAt } from '../../../lib/webhooks/policy.ts'
import { START } from '../../support/fakes/clock.ts'
import { MINUTE, POLICY } from '../../support/fakes/webhooks.ts'

const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE)

describe('the next retry', () => {
  it.each([
    [0, 0, 5],
    [1, 5, 15],
    [2, 15, 60],
  ])('after %i attempts comes at receivedAt plus the delay, whatever the time', (attempts, now, minutes) => {
    expect(nextRetryAt({ receivedAt: START, attempts }, at(now), POLICY)).toEqual(at(minutes))
    expect(nextRetryAt({ receivedAt: START, attempts }, at(1000), POLICY)).toEqual(at(minutes))
  })

  it.each([3, 4, 100])('does not come once %i attempts are at or above the maximum', (attempts) => {
    expect(nextRetryAt({ receivedAt: START, attempts }, at(60), POLICY)).toBeUndefined()
  })

  it('never comes when no attempt is allowed', () => {
    expect(nextRetryAt({ receivedAt: START, attempts: 0 }, START, { ...POLICY, maxAttempts: 0 })).toBeUndefined()
  })

  it.each([
    [3, 60, 65],
    [4, 65, 70],
    [3, 10, 60],
  ])(
    'beyond the list uses the last delay, but not before one scan interval after the last',
    (attempts, now, minutes) => {
      const policy = { ...POLICY, maxAttempts: 10 }
      expect(nextRetryAt({ receivedAt: START, attempts }, at(now), policy)).toEqual(at(minutes))
    },
  )

  it('takes fractions of a minute', () => {
    const policy = { ...POLICY, delays: [0.05 * MINUTE] as const }
    expect(nextRetryAt({ receivedAt: START, attempts: 0 }, START, policy)).toEqual(new Date(START.getTime() + 3000))
  })
})
