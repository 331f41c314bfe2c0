import { expect, it } from 'vitest'
import { growthPerHour } from './slope.ts'

const minutes = (values: readonly number[]) => values.map((value, index) => ({ at: index * 60_000, value }))

it.each([
  { what: 'a line', values: [10, 12, 14, 16], growth: 120 },
  { what: 'a line with a peak', values: [10, 12, 900, 16, 18], growth: 120 },
  { what: 'what comes and goes', values: [5, 9, 5, 9, 5, 9, 5], growth: 0 },
  { what: 'one value', values: [5], growth: 0 },
  { what: 'nothing', values: [], growth: 0 },
])('$what grows by $growth an hour', ({ values, growth }) => {
  expect(growthPerHour(minutes(values))).toBeCloseTo(growth)
})
