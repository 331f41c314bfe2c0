import { expect, it } from 'vitest'
import { passwordProblem } from '../../../lib/users/manage.ts'
import demoUsers from '../../../localstack/demo-users.json' with { type: 'json' }

const SHORT = 'must have at least 8 characters'
const LONG = 'must have at most 1024 bytes'
const COMMON = 'must not be one of the 10,000 commonest passwords'
const NAME = 'must not be the user name'

it.each([
  ['seven letters', 'abcdefg', SHORT],
  ['four emoji, which are 8 UTF-16 units', '😀😀😀😀', SHORT],
  ['seven letters, one of them decomposed', 'abcdefo\u0308', SHORT],
  ['1,025 bytes', 'p'.repeat(1025), LONG],
  ['1,026 bytes in 342 decomposed letters, which are 684 bytes in composed form', 'a\u0308'.repeat(342), LONG],
  ['a megabyte of combining marks', `a${'\u0301\u0316'.repeat(250_000)}`, LONG],
  ['a common one in another case', 'PassWord1', COMMON],
  ['the user name in another case', 'ADA.Lovelace', NAME],
])('a password may not be %s', (_, password, problem) => {
  expect(passwordProblem('Ada.Lovelace', password)).toBe(problem)
})

it('a password may not be the user name in another normalization form', () => {
  expect(passwordProblem('Zo\u00eb-Z\u00fcrich', 'zoe\u0308-zu\u0308rich')).toBe(NAME)
})

it.each([
  ['eight emoji', '😀😁😂🤣😃😄😅😆'],
  ['1,024 bytes', 'p'.repeat(1024)],
  ['a common one with more after it', 'password of ada'],
  ['the user name with more after it', 'Ada.Lovelace!'],
  ['the name of a property', 'constructor'],
])('a password may be %s', (_, password) => {
  expect(passwordProblem('Ada.Lovelace', password)).toBeUndefined()
})

it.each(demoUsers)('the demo user $username could choose the same password', ({ username, password }) => {
  expect(passwordProblem(username, password)).toBeUndefined()
})
