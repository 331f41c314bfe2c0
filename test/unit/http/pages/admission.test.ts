import { describe, expect, it } from 'vitest'
import { permitsOf } from '../../../../lib/auth/access.ts'
import type { Principal } from '../../../../lib/auth/principal.ts'
import type { Profile } from '../../../../lib/auth/profile.ts'
import type { EndpointName } from '../../../../lib/contract/gen/endpoints.ts'
import { admission } from '../../../../lib/http/pages/admission.ts'
import { ALICE, BOB } from '../../../support/fakes/pages.ts'

const permits = permitsOf({ ROLE_ADMIN: { User: ['DELETE'] } })

function shown(principal: Principal | undefined, endpoint: string | undefined, profile: Profile = 'default'): string {
  return admission(principal, profile, permits, endpoint).text
}

/** What stands in the table for each step. */
const standings = (text: string) => [...text.matchAll(/<td>([^<]*)<\/td><\/tr>/g)].map(([, here]) => here)

describe('why an endpoint grants access (auth-1)', () => {
  it.each<[EndpointName, string, Principal | undefined, number, string]>([
    ['adminSecure', 'nobody', undefined, 1, 'refuses you'],
    ['authInfo', 'a user', BOB, 2, 'lets you in'],
    ['adminSecure', 'a user', BOB, 3, 'refuses you'],
    ['adminSecure', 'an admin', ALICE, 4, 'lets you in'],
    ['usersCreate', 'an admin', ALICE, 5, 'refuses you'],
    ['usersDelete', 'an admin', ALICE, 6, 'lets you in'],
  ])('%s, requested by %s (%#): step %d', (endpoint, _, principal, step, outcome) => {
    const text = shown(principal, endpoint)
    const wanted = [1, 2, 3, 4, 5, 6].map((row) =>
      row === step ? 'decides' : row < step ? 'does not hold' : 'not reached',
    )
    expect(standings(text)).toEqual(wanted)
    expect(text).toContain(`>${outcome}</strong>`)
    expect(text.match(/class="on"/g)).toHaveLength(1)
  })

  it('shows the requirement', () => {
    expect(shown(ALICE, 'usersDelete')).toContain(
      'It needs any valid credentials, the role ROLE_ADMIN, and the permission DELETE on User.',
    )
  })

  it('a session does not count at an endpoint of HTTP Basic', () => {
    const text = shown(ALICE, 'jdbcUsers')
    expect(standings(text)[0]).toBe('decides')
    expect(text).toContain('Your session does not count there.')
    expect(shown(undefined, 'jdbcUsers')).not.toContain('Your session')
  })

  it.each([
    ['publicHello', 'No authentication is needed'],
    ['webhookStripe', 'The signature of each call decides'],
  ])('has no table for %s, which ignores identities', (endpoint, text) => {
    expect(shown(ALICE, endpoint)).toContain(text)
    expect(shown(ALICE, endpoint)).not.toContain('<table')
  })

  it.each([undefined, '__proto__'])('begins with adminSecure, for %j as well', (chosen) => {
    expect(shown(BOB, chosen)).toBe(shown(BOB, 'adminSecure'))
  })

  it('offers the endpoints of the profile', () => {
    expect(shown(BOB, undefined, 'jdbc')).toContain('value="jdbcUsers"')
    expect(shown(BOB, undefined, 'jwt')).not.toContain('value="jdbcUsers"')
    expect(shown(BOB, 'jdbcUsers', 'jwt')).toBe(shown(BOB, 'adminSecure', 'jwt'))
  })
})
