import { env } from 'node:process'
import { describe, expect, it } from 'vitest'
import type { WeatherName } from './faults.ts'
import { MUTATIONS, UNFENCED } from './mutations.ts'
import { describeFailure, messagesPerRun, simulate } from './simulate.ts'
import { World } from './world.ts'

/** All in all 10,000; `SIMULATION_FACTOR=10` makes them 100,000. */
const WORLDS: readonly (readonly [string, WeatherName, number])[] = [
  ['Q01, Q02, Q03 whatever is lost, doubled, late, reordered, refused or killed', 'storm', 4000],
  ['Q10 whoever dies, or stands still beyond its lease and then goes on', 'zombies', 1500],
  ['Q05 however often the store refuses or does not answer, and no attempt is used up', 'outage', 1500],
  ['Q02, Q07 with every message lost but those of the scan, each run within a scan interval', 'deaf', 1000],
  ['Q06 with clocks an hour off', 'skewed', 1000],
  ['where nothing goes wrong, a new event processed at once and each retry at its time', 'calm', 1000],
]

const factor = Number(env['SIMULATION_FACTOR'] ?? 1)

/** More messages than these for each run are too many. */
const MESSAGES_PER_RUN = 3

describe('nothing acknowledged is lost, nothing is done twice, no move is illegal, no run is one too many', () => {
  it.each(WORLDS)('%s: %s', async (_, weather, worlds) => {
    const { failures, totals } = await simulate(weather, worlds * factor)
    console.log(weather, Object.fromEntries(totals), `${messagesPerRun(totals).toFixed(2)} messages for each run`)
    expect(failures.slice(0, 3).map(describeFailure).join('\n')).toBe('')
    expect(messagesPerRun(totals)).toBeLessThanOrEqual(MESSAGES_PER_RUN)
  })
})

/** The worlds that a mutation may take to be found out. */
const ENOUGH = 500

describe('each guard is needed: without it some world goes wrong', () => {
  it.each(Object.entries(MUTATIONS))('%s', async (_, { seenIn, as, ...mutation }) => {
    const { failures } = await simulate(seenIn, ENOUGH, mutation, ({ violations }) => violations.includes(as))
    console.log(`${seenIn}: world ${failures.at(-1)?.seed}: ${as}`)
    expect(failures.at(-1)?.violations).toContain(as)
  })

  it('no fence: too many messages', async () => {
    const { totals } = await simulate('calm', ENOUGH, UNFENCED)
    expect(messagesPerRun(totals)).toBeGreaterThan(MESSAGES_PER_RUN)
  })
})

it('one world, told step by step', async () => {
  const weather = (env['SIMULATION_WEATHER'] ?? 'storm') as WeatherName
  const lines: string[] = []
  const world = new World({ seed: Number(env['SIMULATION_SEED'] ?? 1), weather, trace: (line) => lines.push(line) })
  const { violations } = await world.run()
  expect(violations, lines.join('\n')).toEqual([])
})
