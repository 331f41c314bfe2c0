import { expect, it } from 'vitest'
import { paceOf } from '../../../lib/deliver/pace.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'

/** The moments, in milliseconds, at which so many deliveries of one process begin. */
async function begun(destination: Parameters<typeof paceOf>[0], count: number, pauseBefore = 0) {
  const clock = fixedClock()
  const pace = paceOf(destination, clock, async (milliseconds) => clock.advance(milliseconds))
  const moments: number[] = []
  for (let each = 0; each < count; each++) {
    await pace()
    moments.push(clock.now().getTime() - START.getTime())
    if (each === 0) clock.advance(pauseBefore)
  }
  return moments
}

it('one of five processes uses a fifth of the rate', async () => {
  expect(await begun({ concurrency: 5, ratePerSecond: 10 }, 4)).toEqual([0, 500, 1000, 1500])
})

it('a process never waits longer than two seconds, even at the lowest rate', async () => {
  expect(await begun({ concurrency: 1000, ratePerSecond: 500 }, 3)).toEqual([0, 2000, 4000])
})

it('unused capacity is not used later', async () => {
  expect(await begun({ concurrency: 2, ratePerSecond: 2 }, 3, 60_000)).toEqual([0, 60_000, 61_000])
})

it('no delivery waits without a rate', async () => {
  expect(await begun({ concurrency: 2, ratePerSecond: undefined }, 3)).toEqual([0, 0, 0])
})
