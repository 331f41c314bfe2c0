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

it('the answer contains the provider, the time and the steps', () => {
  expect(describeSteps(principal({ ...PROFILE, login: LOGIN }))).toEqual({ provider: 'google', ...LOGIN })
})

it('the answer has a fixed order of members, independent of their storage', () => {
  const step = {
    checks: [{ value: 'v', result: 'PASSED', name: 'state' }],
    answer: { fields: [{ value: 'Bearer', name: 'token_type' }], status: 200 },
    sent: [{ value: 'code', name: 'grant_type' }],
    url: 'https://idp.example/token',
    method: 'POST',
    name: 'token',
  } as const
  const { answer: _, ...callback } = { ...step, name: 'callback' } as const
  const described = describeSteps(principal({ ...PROFILE, login: { steps: [callback, step], at: LOGIN.at } }))
  expect(described).toEqual({ provider: 'google', at: LOGIN.at, steps: [callback, step] })
  const [first, second] = described.steps.map((one) => JSON.stringify(one))
  const front = '"method":"POST","url":"https://idp.example/token","sent":[{"name":"grant_type","value":"code"}]'
  const back = '"checks":[{"name":"state","result":"PASSED","value":"v"}]}'
  expect(first).toBe(`{"name":"callback",${front},${back}`)
  expect(second).toBe(
    `{"name":"token",${front},"answer":{"status":200,"fields":[{"name":"token_type","value":"Bearer"}]},${back}`,
  )
})

it.each<[string, OAuth2Profile | undefined]>([
  ['that began with the form login', undefined],
  ['that is older than the recording of logins', PROFILE],
])('no steps are found for a session %s', (_, oauth2) => {
  expect(() => describeSteps(principal(oauth2))).toThrow(fail('LOGIN_STEPS_NOT_FOUND'))
})
