import { expect, it } from 'vitest'
import { chaos } from './chaos.ts'
import { summaryOf } from './summary.ts'
import { isClean } from './verdict.ts'

/** `npm run quality -- chaos` in small: what it is about is fifty kills. */
it('Q10 kill -9 of every process and of the whole tree under load: nothing is lost, doubled or half applied, and every watcher saw all events', async () => {
  const outcome = await chaos({ kills: 5, events: 600, seed: Date.now() % 1_000_000, limit: 120_000, isBrief: true })
  const { tried, found, findings, examples } = summaryOf(outcome)
  expect(examples).toEqual([])
  expect(isClean(outcome.verdict)).toBe(true)
  expect(new Set(outcome.kills).size).toBe(5)
  expect(outcome.stored.events.length).toBeGreaterThan(500)
  console.log([tried, ...found, findings].join('\n'))
})
