import { expect, it } from 'vitest'
import { asText, withMember, withoutMember } from '../../../../web/token/members.ts'

it.each([
  ['admin', 'admin'],
  [['a'], '["a"]'],
  [undefined, ''],
])('%j is shown in a field as %s', (value, text) => {
  expect(asText(value)).toBe(text)
})

it.each([
  ['sub', '1', '1'],
  ['exp', '5', 5],
  ['exp', 'soon', 'soon'],
  ['aud', '["b"]', ['b']],
])('%s set to %j is %j', (name, text, value) => {
  expect(withMember({ sub: 'a', exp: 1, aud: ['x'] }, name, text)).toMatchObject({ [name]: value })
})

it('a removed member keeps the others', () => {
  expect(withoutMember({ sub: 'a', role: 'b' }, 'role')).toEqual({ sub: 'a' })
})
