import { expect, it } from 'vitest'
import { readRetryAfter } from '../../../lib/deliver/policy.ts'
import { START } from '../../support/fakes/clock.ts'

it.each([
  ['0', 0],
  ['999999999', 999_999_999_000],
  ['Fri, 02 Jan 2026 03:04:05 GMT', 0],
  ['Fri, 02 Jan 2026 03:05:05 GMT', 60_000],
])('Retry-After may be seconds or a date: %s', (text, expected) => {
  expect(readRetryAfter(text, START)).toBe(expected)
})

it.each([
  undefined,
  '-1',
  '1.5',
  ' 2',
  '9999999999',
  'Fri, 02 Jan 2026 03:04:04 GMT',
  'Fri, 02 Foo 2026 03:05:05 GMT',
  'Fri, 02 Jan 2026 03:05:05',
])('any other value, and a past time, is ignored: %s', (text) => {
  expect(readRetryAfter(text, START)).toBeUndefined()
})
