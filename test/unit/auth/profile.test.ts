import { expect, it } from 'vitest'
import { acceptsBearer } from '../../../lib/auth/profile.ts'

it.each([
  ['default', true],
  ['jwt', true],
  ['jdbc', false],
  ['ldap', false],
  ['oauth2', false],
] as const)('the profile %s accepts bearer tokens: %s', (profile, answer) => {
  expect(acceptsBearer(profile)).toBe(answer)
})
