import { expect, it } from 'vitest'
import { problemIn } from '../../../web/problem.ts'

const REFUSED = { timestamp: '', status: 400, error: 'Bad Request', path: '/', message: 'Validation failed' }
const validationErrors = [
  { field: 'from', message: 'must be a date-time', rejectedValue: 'x' },
  { field: 'limit', message: 'must be a number', rejectedValue: 'y' },
]

it.each([
  ['the message', JSON.stringify(REFUSED), 'Validation failed'],
  [
    'the fields',
    JSON.stringify({ ...REFUSED, details: { validationErrors } }),
    'Validation failed: from must be a date-time; limit must be a number.',
  ],
  ['no text of a body that is not JSON', '<html>Bad gateway</html>', undefined],
  ['no text of a body without a message', '{}', undefined],
])('an error is reported with %s', (_, text, words) => {
  expect(problemIn(text)).toBe(words)
})
