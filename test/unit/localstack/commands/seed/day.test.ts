import { describe, expect, it } from 'vitest'
import { live } from '../../../../../localstack/commands/seed/live.ts'
import { type DatedStory, dayOf, type Wanted } from '../../../../../localstack/commands/seed/stories.ts'
import { countStates } from '../../../../../localstack/commands/seed.ts'
import { START } from '../../../../support/fakes/clock.ts'
import { MemoryStore } from '../../../../support/fakes/memory-store.ts'
import { MINUTE, POLICY } from '../../../../support/fakes/webhooks.ts'

const DAY: Wanted = { events: 400, hours: 24, seed: 1, policy: POLICY }

const dayWith = (changes: Partial<Wanted> = {}) => dayOf({ ...DAY, ...changes })
const stepsOf = (day: readonly DatedStory[]) =>
  day.flatMap(({ story, ago }) => story.steps.map((step) => ({ ...step, ago })))

const eventsOf = (store: MemoryStore) => [...store.events.values()].map(({ event }) => event)

async function lived(wanted: Wanted = DAY, store = new MemoryStore(), end = START) {
  const audit = countStates()
  const world = { events: store.eventStore, runs: store.retryStore, policy: wanted.policy, audit, end }
  for (const told of dayOf(wanted)) await live(told, world)
  return { store, counts: Object.fromEntries(audit.counts()), report: audit.report() }
}

describe('a day', () => {
  it.each([1, 5, 20, 400, 2000])('has exactly the requested number of webhooks: %i', (events) => {
    expect(stepsOf(dayWith({ events }))).toHaveLength(events)
  })

  it.each([1, 24, 72])('has the requested length: %i hours', (hours) => {
    for (const { after, ago } of stepsOf(dayWith({ hours }))) {
      expect(ago - after).toBeGreaterThanOrEqual(0)
      expect(ago).toBeLessThanOrEqual(hours * 60)
    }
  })

  it('is the same for the same seed, and differs for another one', () => {
    const storiesOf = (seed: number) => JSON.stringify(stepsOf(dayWith({ seed })))
    expect(storiesOf(1)).toBe(storiesOf(1))
    expect(storiesOf(2)).not.toBe(storiesOf(1))
  })

  it('is spread over all its hours', () => {
    const hours = new Set(stepsOf(dayWith()).map(({ after, ago }) => Math.floor((ago - after) / 60)))
    expect(hours.size).toBe(24)
  })
})

describe('a simulated day', async () => {
  const day = await lived()

  it('has events in every possible state', () => {
    const { counts } = day
    expect(Object.keys(counts).sort()).toEqual([
      'FAILED for good',
      'FAILED, to be retried',
      'PROCESSED',
      'PROCESSED, superseded',
      'PROCESSING',
      'RECEIVED',
      'RETRY',
    ])
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(DAY.events)
  })

  it('has scheduled retries at each step of the schedule', () => {
    const { store } = day
    const waiting = eventsOf(store).filter(({ status, dead }) => status === 'FAILED' && !dead)
    expect(new Set(waiting.map(({ attempts }) => attempts))).toEqual(new Set(POLICY.delays.keys()))
    for (const { nextRetryAt } of waiting) expect(nextRetryAt?.getTime()).toBeGreaterThan(START.getTime())
  })

  it('has events that succeeded in a retry', () => {
    const { store } = day
    const mended = eventsOf(store).filter(({ status, attempts }) => status === 'PROCESSED' && attempts > 0)
    expect(mended.length).toBeGreaterThan(3)
    for (const { history } of mended) expect(history[0]).toMatchObject({ status: 'FAILED', error: 'unexpected error' })
  })

  it('has the times at which the changes happened', () => {
    const { store } = day
    for (const { receivedAt } of eventsOf(store)) {
      expect(receivedAt.getTime()).toBeLessThanOrEqual(START.getTime())
      expect(receivedAt.getTime()).toBeGreaterThanOrEqual(START.getTime() - 24 * 60 * MINUTE)
    }
  })

  it('changes nothing when it is simulated again, even later', async () => {
    const { store } = day
    const before = eventsOf(store)
    const again = await lived(DAY, store, new Date(START.getTime() + 7 * MINUTE))
    expect(again.counts).toEqual({ 'there already': DAY.events })
    expect(again.report).toBe(`${String(DAY.events).padStart(7)}  there already\n`)
    expect(eventsOf(store)).toEqual(before)
  })

  it('leaves no dead event if the schedule is longer than the day', async () => {
    const { counts } = await lived({ ...DAY, hours: 1 })
    expect(counts['FAILED for good']).toBeUndefined()
    expect(counts['FAILED, to be retried']).toBeGreaterThan(0)
  })
})
