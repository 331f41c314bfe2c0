import { expect, it } from 'vitest'
import { shortAnswer } from '../../../lib/deliver/delivery.ts'

it.each([
  ['x'.repeat(256), 'x'.repeat(256)],
  ['x'.repeat(257), 'x'.repeat(256)],
])('an answer is stored with up to 256 characters', (answer, kept) => {
  expect(shortAnswer(answer)).toBe(kept)
})
