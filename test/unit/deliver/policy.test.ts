import { describe, expect, it } from 'vitest'
import { nextDueAt } from '../../../lib/deliver/policy.ts'
import { START } from '../../support/fakes/clock.ts'

const HOUR = 3_600_000
const DELAYS = [5000, 300_000, 1_800_000, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR] as const
const POLICY = { delays: DELAYS, giveUpAfter: 72 * HOUR }
const tried = (attempts: number) => ({ receivedAt: START, attempts })

/** The pause before the next try, in milliseconds. */
function pauseAfter(attempts: number, { retryAfter = 0, random = 0 } = {}, at = START) {
  const due = nextDueAt(tried(attempts), POLICY, at, retryAfter, random)
  return due && due.getTime() - at.getTime()
}

describe('the pause after a failure', () => {
  it.each(DELAYS.map((delay, index) => [index + 1, delay]))('after try %i is %i ms', (attempts, delay) => {
    expect(pauseAfter(attempts)).toBe(delay)
  })

  it('stays at the last value beyond the list', () => {
    expect(pauseAfter(20)).toBe(20 * HOUR)
  })

  it('is up to a fifth longer', () => {
    expect([pauseAfter(1, { random: 0.5 }), pauseAfter(1, { random: 1 })]).toEqual([5500, 6000])
  })

  it.each([
    ['as long as Retry-After requests', 2, 400_000, 400_000],
    ['no shorter than the schedule', 2, 1000, 300_000],
    ['at most two hours more than the schedule', 1, 24 * HOUR, 2 * HOUR + 5000],
  ])('is %s', (_name, attempts, retryAfter, pause) => {
    expect(pauseAfter(attempts, { retryAfter })).toBe(pause)
  })
})

describe('a delivery is given up', () => {
  const nearly = new Date(START.getTime() + 72 * HOUR - 5000)

  it('when its next try would come later than the limit after its acceptance', () => {
    expect(pauseAfter(1, {}, nearly)).toBe(5000)
    expect(pauseAfter(1, {}, new Date(nearly.getTime() + 1))).toBeUndefined()
  })

  it('later if an operator has ordered it again', () => {
    const delivery = { ...tried(1), orderedAt: nearly }
    expect(nextDueAt(delivery, POLICY, nearly, 0, 0)).toEqual(new Date(nearly.getTime() + 5000))
  })

  it('after a thousand tries, even with short pauses', () => {
    const policy = { delays: [1] as const, giveUpAfter: 72 * HOUR }
    expect(nextDueAt(tried(999), policy, START, 0, 0)).toBeDefined()
    expect(nextDueAt(tried(1000), policy, START, 0, 0)).toBeUndefined()
  })
})
