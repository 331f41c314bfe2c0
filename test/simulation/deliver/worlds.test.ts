import { expect, it } from 'vitest'
import { describeFailure, simulate } from '../simulate.ts'

it('every accepted event reaches each destination despite all failures: no delivery is lost, uncharged, too early or late', async () => {
  const { failures, totals } = await simulate('deliveries', { first: 1, count: 100 })
  console.log(Object.fromEntries(totals))
  const told = await Promise.all(failures.slice(0, 3).map((failure) => describeFailure(failure)))
  expect(told.join('\n')).toBe('')
})
