import { describe, expect, it } from 'vitest'
import type { KindName } from './kinds.ts'
import { addTo, describeFailure, MESSAGES_PER_RUN, messagesPerRun, simulate } from './simulate.ts'

/** All in all 500, of the seeds with which `npm run quality -- simulate` begins. */
const WORLDS: readonly (readonly [string, KindName, number])[] = [
  ['Q01, Q02, Q03 with any loss, duplicate, delay, reordering, refusal or crash', 'storm', 180],
  ['Q10 with workers that crash, or that pause beyond their lease and then continue', 'zombies', 70],
  ['Q05 with any number of refusals and outages of the store, which use up no attempt', 'outage', 70],
  ['Q02, Q07 without every message except those of the scan, each run within a scan interval', 'deaf', 50],
  ['Q06 with clocks that differ by an hour', 'skewed', 50],
  ['without a fault, a new event processed at once and each retry at its time', 'calm', 50],
  ['Q17 with late indexes, and each last change sent once to a client that resumes', 'watch', 30],
]

describe('nothing acknowledged is lost, nothing is done twice, no move is illegal, and no run is superfluous', () => {
  const all = new Map<string, number>()

  it.each(WORLDS)('%s: %s', async (_, kind, count) => {
    const { failures, totals } = await simulate(kind, { first: 1, count })
    console.log(kind, Object.fromEntries(totals), `${messagesPerRun(totals).toFixed(2)} messages for each run`)
    const told = await Promise.all(failures.slice(0, 3).map((failure) => describeFailure(failure)))
    expect(told.join('\n')).toBe('')
    addTo(all, totals)
  })

  it('at most three messages are sent for each run', () => {
    expect(all.get('messages')).toBeGreaterThan(0)
    expect(messagesPerRun(all)).toBeLessThanOrEqual(MESSAGES_PER_RUN)
  })
})
