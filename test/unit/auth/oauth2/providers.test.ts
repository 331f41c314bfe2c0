import { describe, expect, it } from 'vitest'
import type { Attributes } from '../../../../lib/auth/oauth2/identity-provider.ts'
import { claimedRole, identityOf } from '../../../../lib/auth/oauth2/providers.ts'

describe("a provider's user", () => {
  it.each<[string, Attributes]>([
    ['google', { name: 'nobody' }],
    ['google', { sub: 'zoé' }],
    ['corp', { sub: 'a\tb' }],
    ['google', { sub: 'x'.repeat(256) }],
    ['github', { id: { toString: 'x' } }],
    ['facebook', { id: undefined }],
  ])('of %s with %j has no identity', (id, attributes) => {
    expect(() => identityOf(id, attributes)).toThrow('identity-incomplete')
  })

  it.each<[string, Attributes, string]>([
    ['google', { sub: 'x'.repeat(255) }, 'x'.repeat(255)],
    ['corp', { sub: 'f:1a:Jane Doe, Sales' }, 'f:1a:Jane Doe, Sales'],
    ['github', { id: 583231 }, '583231'],
    ['facebook', { id: '!~' }, '!~'],
  ])('of %s with %j has the provider’s own id', (id, attributes, subject) => {
    expect(identityOf(id, attributes).subject).toBe(subject)
  })

  it.each<[unknown, string | null]>([
    ['x'.repeat(2048), 'x'.repeat(2048)],
    ['x'.repeat(2049), null],
    ['', null],
  ])('of facebook with the name %j has the display name %j', (name, called) => {
    expect(identityOf('facebook', { id: '1', name }).profile.name).toBe(called)
  })

  it.each<[unknown, boolean]>([
    ['Ada', true],
    ['', false],
    [0, true],
    [null, false],
    [['Ada'], false],
  ])('with the attribute %j keeps it: %s', (email_verified, isKept) => {
    const { attributes } = identityOf('google', { sub: '1', email_verified }).profile
    expect(attributes).toEqual({ sub: '1', ...(isKept && { email_verified }) })
  })

  it.each<[unknown, unknown, string | null]>([
    ['Octo Cat', 'octo', 'Octo Cat'],
    [null, 'octo', 'octo'],
  ])('of github with the name %j and the login %j has the display name %j', (name, login, called) => {
    expect(identityOf('github', { id: 1, name, login }).profile.name).toBe(called)
  })

  it.each<[unknown, string | null]>([
    [true, 'a@example.com'],
    [false, null],
    ['true', 'a@example.com'],
    ['false', null],
    [1, null],
    [undefined, null],
  ])('O08 of google with email_verified %j has the e-mail %j', (email_verified, email) => {
    expect(identityOf('google', { sub: '1', email: 'a@example.com', email_verified }).profile.email).toBe(email)
  })

  it.each<[string, unknown, string | null]>([
    ['its primary and verified one', [mail('x@e', false, true), mail('a@e', true, true)], 'a@e'],
    ['none without a verified one', [mail('a@e', true, false)], null],
    ['none without a primary one', [mail('a@e', false, true)], null],
    ['none without a list', { message: 'Not Found' }, null],
  ])('of github has as e-mail %s', (_, emails, email) => {
    expect(identityOf('github', { id: 1, email: 'public@e', emails }).profile.email).toBe(email)
  })

  it('keeps the usual attributes of the provider, and no large, nested or secret ones', () => {
    const { profile } = identityOf('google', {
      sub: '1',
      name: 'x'.repeat(3000),
      picture: { url: 'x' },
      given_name: 'Ada',
      nonce: 'n',
      at_hash: 'h',
      access_token: 't',
    })
    expect(profile).toEqual({
      provider: 'google',
      email: null,
      name: null,
      picture: null,
      attributes: { sub: '1', given_name: 'Ada' },
    })
  })

  it('of facebook has the picture from the nested field of the Graph API', () => {
    const picture = { data: { url: 'https://p.example/1.png' } }
    expect(identityOf('facebook', { id: '1', picture }).profile.picture).toBe('https://p.example/1.png')
    expect(identityOf('facebook', { id: '1', picture: 'x' }).profile.picture).toBeNull()
  })
})

describe('the role of a claim', () => {
  const map = { admins: 'ROLE_ADMIN', staff: 'ROLE_USER' } as const

  it.each<[string, Attributes, string | undefined]>([
    ['groups', { groups: ['staff', 'admins'] }, 'ROLE_ADMIN'],
    ['groups', { groups: 'staff' }, 'ROLE_USER'],
    ['groups', { groups: ['Admins', 'toString', 7, null, ['admins']] }, undefined],
    ['groups', { groups: { admins: true } }, undefined],
    ['groups', { _claim_names: { groups: 'src1' } }, undefined],
    ['groups', { groups: Array.from({ length: 2000 }, (_, index) => `group-${index}`).concat('admins') }, 'ROLE_ADMIN'],
    ['realm_access.roles', { realm_access: { roles: ['admins'] } }, 'ROLE_ADMIN'],
    ['resource_access.my.app.roles', { resource_access: { 'my.app': { roles: ['admins'] } } }, 'ROLE_ADMIN'],
    ['https://example.com/roles', { 'https://example.com/roles': ['admins'] }, 'ROLE_ADMIN'],
    ['cognito:groups', { 'cognito:groups': ['admins'] }, 'ROLE_ADMIN'],
    ['constructor.name', {}, undefined],
  ])('in %s of %j is %s', (claim, attributes, role) => {
    expect(claimedRole(attributes, { claim, map })).toBe(role)
  })
})

function mail(email: string, primary: boolean, verified: boolean) {
  return { email, primary, verified }
}
