import { expect, it } from 'vitest'
import { comparison } from './comparison.ts'

const COSTS = new Map([
  ['floor', [10]],
  ['gatehouse', [30]],
  ['cheap', [20]],
  ['dear', [70]],
])
const CALL = { what: 'a call', unit: 'µs', floor: 'floor', costs: COSTS }

it('the table and the goal show both ratios, and the net ratio decides the goal', () => {
  const { table, goals } = comparison({ ...CALL, atLeast: { dear: 2.5 } })
  expect(table).toContain('| dear | 70 | 2.33 | 60 | 3 | ≥ 2.5 ×: met |')
  expect(goals).toEqual([
    { what: 'a call', peer: 'dear takes', wanted: '≥ 2.5 ×', measured: '3 × net, 2.33 × gross', isMet: true },
  ])
})

it('a missed goal states by how much and why', () => {
  const { goals } = comparison({ ...CALL, atLeast: { dear: 4 }, why: 'It is slow.' })
  expect(goals).toMatchObject([{ isMet: false, missedBy: expect.closeTo(33.3, 1), why: 'It is slow.' }])
})

it('the most that Gatehouse may take is stated as a multiple of the other library', () => {
  const { goals } = comparison({ ...CALL, atMost: { cheap: 1.5 } })
  expect(goals).toMatchObject([{ peer: 'of cheap', measured: '2 × net, 1.5 × gross', isMet: false }])
})

it('a library that takes less is reported without a goal', () => {
  const { ahead } = comparison({ ...CALL, atLeast: { dear: 2 } })
  expect(ahead).toEqual([{ what: 'a call', peer: 'cheap takes', measured: '0.5 × net, 0.667 × gross' }])
})

it('without a floor there is one ratio', () => {
  const { floor, ...call } = CALL
  const { table, ahead } = comparison({ ...call, costs: new Map([...COSTS].filter(([name]) => name !== floor)) })
  expect(table).toContain('| cheap | 20 | 0.667 |  |')
  expect(ahead).toMatchObject([{ measured: '0.667 ×' }])
})
