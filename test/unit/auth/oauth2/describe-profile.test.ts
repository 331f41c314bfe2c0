import { expect, it } from 'vitest'
import { describeProfile } from '../../../../lib/auth/oauth2/describe-profile.ts'

it('a profile after a login without a provider contains the name and the roles', () => {
  const principal = {
    username: 'alice',
    roles: ['ROLE_ADMIN', 'ROLE_USER'],
    authType: 'FORM',
    principalType: 'DatabaseUser',
  } as const
  expect(describeProfile(principal)).toEqual({
    message: 'OAuth2 Authentication Demo',
    user: 'alice',
    authorities: [{ authority: 'ROLE_ADMIN' }, { authority: 'ROLE_USER' }],
  })
})

it('a profile has its attributes in the order of their names, independent of their storage', () => {
  const attributes = {
    name: 'Ada',
    address: { street: 's', city: 'c' },
    emails: [{ verified: true, email: 'e' }],
    id: null,
  }
  const oauth2 = { provider: 'google', email: null, name: 'Ada', picture: null, attributes }
  const profile = describeProfile({
    username: 'google:1',
    roles: ['ROLE_USER'],
    authType: 'OAuth2',
    principalType: 'OidcUser',
    oauth2,
  })
  expect(profile).toMatchObject({ attributes })
  expect(JSON.stringify(profile)).toContain(
    '"attributes":{"address":{"city":"c","street":"s"},"emails":[{"email":"e","verified":true}],"id":null,"name":"Ada"}',
  )
})

it('a profile contains null for each value that the provider did not send', () => {
  const oauth2 = { provider: 'facebook', email: null, name: 'Fiona', picture: null, attributes: { id: '1' } }
  const principal = {
    username: 'facebook:1',
    roles: ['ROLE_USER'],
    authType: 'OAuth2',
    principalType: 'OAuth2User',
    oauth2,
  } as const
  expect(describeProfile(principal)).toEqual({
    message: 'OAuth2 Authentication Demo',
    user: 'facebook:1',
    ...oauth2,
  })
})
