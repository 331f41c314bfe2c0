import { expect, it } from 'vitest'
import { type BarChoice, chosenBars, movedChoice } from '../../../../web/events/choice.ts'

it.each<[string, BarChoice | undefined, string, boolean, BarChoice | undefined]>([
  ['begins at the last bar', undefined, 'ArrowLeft', false, [9, 9]],
  ['begins at the first one', undefined, 'Home', false, [0, 0]],
  ['grows with Shift', [9, 9], 'ArrowLeft', true, [9, 8]],
  ['stays within the bars', [0, 0], 'ArrowLeft', false, [0, 0]],
  ['goes to the end', [2, 2], 'End', true, [2, 9]],
  ['ignores other keys', [2, 2], 'Enter', false, undefined],
])('the selection of bars by keys %s', (_, choice, key, shiftKey, expected) => {
  expect(movedChoice(choice, { key, shiftKey }, 9)).toEqual(expected)
})

it('a selection covers its first to its last bar, in any order', () => {
  expect([chosenBars([7, 3]), chosenBars([3, 7])]).toEqual([
    [3, 7],
    [3, 7],
  ])
})
