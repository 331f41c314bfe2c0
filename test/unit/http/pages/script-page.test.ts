import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../../lib/auth/principal.ts'
import { type ConsoleFacts, SCRIPT_PAGES } from '../../../../lib/contract/console.ts'
import { ROUTES } from '../../../../lib/endpoints/index.ts'
import { fail } from '../../../../lib/errors.ts'
import { scriptPage } from '../../../../lib/http/pages/script-page.ts'
import { ALICE, BOB, DEMO_USERS, SITE, viewOf } from '../../../support/fakes/pages.ts'

const shown = (name: string, principal?: Principal, site = SITE) => scriptPage(name, viewOf(principal), site)

function factsOf(principal?: Principal, site = SITE): ConsoleFacts {
  const [, json = ''] = /id="facts">(.*)<\/script>/.exec(shown('token', principal, site).main.text) ?? []
  return JSON.parse(json)
}

describe('a page that its script fills', () => {
  it.each(SCRIPT_PAGES)('%s has a heading, a place for its script, and a word for those without', (name) => {
    const { path, script, main } = shown(name, ALICE)
    expect([path, script]).toEqual([`/console/${name}`, name])
    expect(main.text).toMatch(/^<div id="island" class="island">\n<header class="bar line"><h1>[A-Z]/)
    expect(main.text).toMatch(/<noscript>.*This page needs JavaScript\./)
  })

  it.each([undefined, '', 'home', 'Token', '__proto__'])('is not there under the name %j', (name) => {
    expect(() => scriptPage(name, viewOf(), SITE)).toThrow(fail('ENDPOINT_NOT_FOUND'))
  })
})

describe('the page of the webhooks', () => {
  it.each<[string, Principal | undefined, string]>([
    ['a user', BOB, 'You are Bob, who does not have it.'],
    ['somebody who is not logged in', undefined, 'You are not logged in.'],
  ])('C06 tells %s that it is for admins, and has neither script nor facts', (_, principal, text) => {
    const { script, main } = shown('webhooks', principal)
    expect(script).toBeUndefined()
    expect(main.text).toContain(text)
    expect(main.text).toContain('<a class="btn main-btn" href="/login">')
    expect(main.text).not.toMatch(/<script|island|random\.signature/)
  })
})

it('a page for others leads back after the login that it asks for', () => {
  const { main } = scriptPage('webhooks', { ...viewOf(), address: '/console/webhooks?status=FAILED' }, SITE)
  expect(main.text).toContain('href="/login?returnTo=%2Fconsole%2Fwebhooks%3Fstatus%3DFAILED">Log in</a>')
})

describe('the facts for the script', () => {
  it('say who is logged in, or that nobody is', () => {
    expect(factsOf(BOB).user).toEqual({
      username: 'Bob',
      roles: ['ROLE_USER'],
      authType: 'FORM',
      sessionExpiresAt: '2026-01-02T03:34:05.000Z',
    })
    expect(factsOf().user).toBeNull()
  })

  it('hold the CSRF token, and where STOMP is', () => {
    expect(factsOf()).toMatchObject({ csrfToken: 'random.signature', stompUrl: 'ws://127.0.0.1:3001/ws' })
    expect(factsOf(undefined, { ...SITE, stompUrl: undefined }).stompUrl).toBeNull()
  })

  it('name the endpoints of the profile', () => {
    expect(factsOf().routes).toEqual(ROUTES)
    const { jdbcUsers, oauth2Profile, oauth2Steps, oauth2Start, oauth2Callback, ...others } = ROUTES
    const { ldapUsers, ...ofJwt } = others
    expect(factsOf(undefined, { ...SITE, profile: 'jwt' })).toMatchObject({ profile: 'jwt', routes: ofJwt })
    expect(factsOf(undefined, { ...SITE, profile: 'ldap' }).routes).toHaveProperty('ldapUsers')
  })

  it('tell what the profile accepts, and what the roles carry', () => {
    expect(factsOf(undefined, { ...SITE, profile: 'ldap' })).toMatchObject({
      accepts: { bearer: false, basic: true, stores: ['directory'] },
      providers: ['google', 'github', 'facebook'],
      permissions: SITE.permissions,
    })
  })

  it('name the demo users, if there are any', () => {
    expect(factsOf().demoUsers).toEqual([])
    expect(factsOf(undefined, { ...SITE, demoUsers: DEMO_USERS }).demoUsers).toEqual(DEMO_USERS)
  })

  it('hold the demo tokens, if there are any', () => {
    const demoTokens = { expired: 'a.b.c', withoutRole: 'd.e.f' }
    expect(factsOf().demoTokens).toBeNull()
    expect(factsOf(undefined, { ...SITE, demoTokens }).demoTokens).toEqual(demoTokens)
  })

  it('C03 stay in their element, whatever a user is called', () => {
    const username = '</script><script>alert(1)</script><!--'
    const { main } = shown('token', { ...BOB, username })
    expect(main.text.match(/<\/script>/g)).toHaveLength(1)
    expect(factsOf({ ...BOB, username }).user?.username).toBe(username)
  })
})
