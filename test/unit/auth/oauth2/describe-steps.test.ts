import { expect, it } from 'vitest'
import { describeSteps } from '../../../../lib/auth/oauth2/describe-steps.ts'
import type { OAuth2Profile, Principal } from '../../../../lib/auth/principal.ts'
import { fail } from '../../../../lib/errors.ts'

const PROFILE: OAuth2Profile = { provider: 'google', email: null, name: 'Ada', picture: null, attributes: {} }
const LOGIN = { at: '2026-01-02T03:04:05.000Z', steps: [] }

const principal = (oauth2?: OAuth2Profile): Principal => ({
  username: 'google:1',
  roles: ['ROLE_USER'],
  authType: 'OAuth2',
  principalType: 'OidcUser',
  ...(oauth2 && { oauth2 }),
})

it('tells the provider, the time and the steps', () => {
  expect(describeSteps(principal({ ...PROFILE, login: LOGIN }))).toEqual({ provider: 'google', ...LOGIN })
})

it.each<[string, OAuth2Profile | undefined]>([
  ['that began with the form', undefined],
  ['that is older than the recording of logins', PROFILE],
])('has nothing to tell of a session %s', (_, oauth2) => {
  expect(() => describeSteps(principal(oauth2))).toThrow(fail('LOGIN_STEPS_NOT_FOUND'))
})
