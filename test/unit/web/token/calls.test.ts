import { expect, it } from 'vitest'
import { refusal } from '../../../../lib/auth/claims.ts'
import { errorShape } from '../../../../lib/contract/error-shape.ts'
import { TOKEN_STATUSES } from '../../../../lib/contract/tokens.ts'
import { fail } from '../../../../lib/errors.ts'
import { READINGS, verdictOf } from '../../../../web/token/calls.ts'

const CIRCUMSTANCES = { path: '/api/auth/info', now: new Date(0) }

it.each(TOKEN_STATUSES)('%s is parsed from the answer, and has its own text', (tokenStatus) => {
  const error = refusal(tokenStatus as Exclude<typeof tokenStatus, 'EXPIRED'>, 'the cause')
  const answer = { status: error.status, text: JSON.stringify(errorShape(error, CIRCUMSTANCES)) }
  expect(verdictOf(answer)).toBe(tokenStatus)
  const texts = Object.values(READINGS).map(({ text }) => text)
  expect(texts.filter((text) => text === READINGS[tokenStatus].text)).toHaveLength(1)
})

it.each([
  ['VALID', 200, '{"authenticated":true}'],
  ['IGNORED', 401, JSON.stringify(errorShape(fail('AUTHENTICATION_REQUIRED'), CIRCUMSTANCES))],
  ['UNCLEAR', 503, 'down'],
])('%s is the meaning of %d', (verdict, status, text) => {
  expect(verdictOf({ status, text })).toBe(verdict)
})
