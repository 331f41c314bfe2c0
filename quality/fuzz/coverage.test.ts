import { runInThisContext } from 'node:vm'
import { expect, it } from 'vitest'
import { placesIn, Reached, watchCoverage } from './coverage.ts'

it('code is new when it runs for the first time, block by block', () => {
  const coverage = watchCoverage((url) => url === 'watched.js')
  const source = '(function (x) { if (x === 1) { return "one" } if (x === 2) { return "two" } return "many" })'
  const watched: (x: number) => string = runInThisContext(source, { filename: 'watched.js' })
  const reached = new Reached()
  const newAt = (x: number) => {
    watched(x)
    return reached.learn(coverage.ran())
  }
  expect(newAt(1).length).toBeGreaterThan(0)
  expect(newAt(1)).toEqual([])
  const places = newAt(2)
  expect(places.length).toBeGreaterThan(0)
  expect(newAt(2)).toEqual([])
  watched(1)
  expect(placesIn(coverage.ran(), places)).toEqual([])
  watched(2)
  expect(placesIn(coverage.ran(), places)).not.toEqual([])
  coverage.stop()
})
