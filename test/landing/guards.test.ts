import { describe, expect, it } from 'vitest'
import { DELIVER_MUTATIONS } from '../simulation/deliver/mutations.ts'
import { MUTATIONS, UNFENCED } from '../simulation/mutations.ts'
import { type Failure, MESSAGES_PER_RUN, messagesPerRun, simulate } from '../simulation/simulate.ts'

/** The worlds that a mutation may take to be found out. */
const [OF_EVENTS, OF_DELIVERIES] = [500, 300]

describe('each guard of an event is needed: without it some world violates a rule', () => {
  it.each(Object.entries(MUTATIONS))('%s', async (_, { seenIn = 'calm', as, ...mutation }) => {
    const isEnough = ({ violations }: Failure) => violations.includes(as)
    const { failures } = await simulate(seenIn, { first: 1, count: OF_EVENTS }, { mutation, isEnough })
    console.log(`${seenIn}: world ${failures.at(-1)?.seed}: ${as}`)
    expect(failures.at(-1)?.violations).toContain(as)
  })

  it('no fence: too many messages', async () => {
    const { totals } = await simulate('calm', { first: 1, count: 100 }, { mutation: UNFENCED })
    expect(messagesPerRun(totals)).toBeGreaterThan(MESSAGES_PER_RUN)
  })
})

describe('each guard of a delivery is needed: without it some world violates a rule', () => {
  it.each(DELIVER_MUTATIONS)('%s: %s', async (_, as, deliveries) => {
    const worlds = { first: 1, count: OF_DELIVERIES }
    const isEnough = ({ violations }: Failure) => violations.includes(as)
    const { failures } = await simulate('deliveries', worlds, { mutation: { deliveries }, isEnough })
    console.log(`world ${failures.at(-1)?.seed}: ${as}`)
    expect(failures.at(-1)?.violations).toContain(as)
  })
})
