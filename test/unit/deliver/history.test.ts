import { expect, it } from 'vitest'
import { shortAnswer, withMove } from '../../../lib/deliver/history.ts'
import { START } from '../../support/fakes/clock.ts'

const move = (answer: string) => ({ at: START, status: 'PENDING', answer }) as const

it('a history grows by its moves, oldest first, and keeps the latest twenty', () => {
  let history = withMove([], move('0'))
  expect(history).toEqual([move('0')])
  for (let number = 1; number <= 30; number++) history = withMove(history, move(`${number}`))
  expect(history).toEqual(Array.from({ length: 20 }, (_, index) => move(`${index + 11}`)))
})

it.each([
  ['503', '503'],
  ['x'.repeat(256), 'x'.repeat(256)],
  ['x'.repeat(257), 'x'.repeat(256)],
])('an answer is stored with up to 256 characters', (answer, kept) => {
  expect(shortAnswer(answer)).toBe(kept)
})
