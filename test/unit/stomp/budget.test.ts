import { expect, it } from 'vitest'
import { createBudget, sizeOf } from '../../../lib/stomp/limits.ts'

it('a kept message uses its body, the names and values of its headers, and 512 bytes', () => {
  const headers: [string, string][] = [
    ['ab', 'cde'],
    ['f', ''],
  ]
  expect(sizeOf({ headers, body: new Uint8Array(100) })).toBe(512 + 100 + 5 + 1)
  expect(sizeOf({ headers: [], body: new Uint8Array(0) })).toBe(512)
})

it('a budget can be used to its last byte, and a refused message uses nothing', () => {
  const budget = createBudget(10)
  expect([budget.take(11), budget.take(9), budget.take(2), budget.take(1), budget.take(1)]).toEqual([
    false,
    true,
    false,
    true,
    false,
  ])
  budget.give(4)
  expect([budget.take(5), budget.take(4)]).toEqual([false, true])
})
