import { describe, expect, it } from 'vitest'
import { describeFailure, type Failure, simulate } from '../simulate.ts'
import { DELIVER_MUTATIONS } from './mutations.ts'

it('every accepted event reaches each destination despite all failures: no delivery is lost, uncharged, too early or late', async () => {
  const { failures, totals } = await simulate('deliveries', { first: 1, count: 100 })
  console.log(Object.fromEntries(totals))
  const told = await Promise.all(failures.slice(0, 3).map((failure) => describeFailure(failure)))
  expect(told.join('\n')).toBe('')
})

/** The worlds that a mutation may take to be found out. */
const ENOUGH = { first: 1, count: 300 }

describe('each guard is needed: without it some world violates a rule', () => {
  it.each(DELIVER_MUTATIONS)('%s: %s', async (_, as, deliveries) => {
    const isEnough = ({ violations }: Failure) => violations.includes(as)
    const { failures } = await simulate('deliveries', ENOUGH, { mutation: { deliveries }, isEnough })
    console.log(`world ${failures.at(-1)?.seed}: ${as}`)
    expect(failures.at(-1)?.violations).toContain(as)
  })
})
