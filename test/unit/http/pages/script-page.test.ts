import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../../lib/auth/principal.ts'
import { type ConsoleFacts, SCRIPT_PAGES } from '../../../../lib/contract/console.ts'
import { fail } from '../../../../lib/errors.ts'
import { scriptPage } from '../../../../lib/http/pages/script-page.ts'
import { ALICE, BOB, DEMO_TOKENS, DEMO_USERS, SITE, viewOf } from '../../../support/fakes/pages.ts'

const shown = (name: string, principal?: Principal, site = SITE) => scriptPage(name, viewOf(principal), site)

function factsOf(principal?: Principal, site = SITE): ConsoleFacts {
  const [, json = ''] = /id="facts">(.*)<\/script>/.exec(shown('token', principal, site).main.text) ?? []
  return JSON.parse(json)
}

describe('a page that its script fills', () => {
  it.each(SCRIPT_PAGES)('%s has a heading, a place for its script, and a text for browsers without scripts', (name) => {
    const { path, script, main } = shown(name, ALICE)
    expect([path, script]).toEqual([`/console/${name}`, name])
    expect(main.text).toMatch(/^<div id="island" class="island">\n<header class="bar line"><h1>[A-Z]/)
    expect(main.text).toMatch(/<noscript>.*This page needs JavaScript\./)
  })

  it.each([undefined, 'home', '__proto__'])('does not exist under the name %j', (name) => {
    expect(() => scriptPage(name, viewOf(), SITE)).toThrow(fail('ENDPOINT_NOT_FOUND'))
  })
})

describe('the page of the webhooks', () => {
  it.each<[string, Principal | undefined, string]>([
    ['a user', BOB, 'You are Bob, who does not have it.'],
    ['an anonymous visitor', undefined, 'You are not logged in.'],
  ])('C06 shows %s that it is for admins, and has neither script nor facts', (_, principal, text) => {
    const { script, main } = shown('webhooks', principal)
    expect(script).toBeUndefined()
    expect(main.text).toContain(text)
    expect(main.text).toContain('<a class="btn main-btn" href="/login">')
    expect(main.text).not.toMatch(/<script|island|random\.signature/)
  })
})

it('a page for other users redirects back after the login', () => {
  const { main } = scriptPage('webhooks', { ...viewOf(), address: '/console/webhooks?status=FAILED' }, SITE)
  expect(main.text).toContain('href="/login?returnTo=%2Fconsole%2Fwebhooks%3Fstatus%3DFAILED">Log in</a>')
})

describe('the facts for the script', () => {
  it('contain the present user, or none', () => {
    expect(factsOf(BOB).user).toEqual({
      username: 'Bob',
      roles: ['ROLE_USER'],
      authType: 'FORM',
      sessionExpiresAt: '2026-01-02T03:34:05.000Z',
    })
    expect(factsOf().user).toBeNull()
  })

  it('contain the CSRF token, and the addresses of STOMP and gRPC', () => {
    expect(factsOf()).toMatchObject({
      csrfToken: 'random.signature',
      stompUrl: 'ws://127.0.0.1:3001/ws',
      grpcUrl: 'http://127.0.0.1:5051',
    })
    expect(factsOf(undefined, { ...SITE, stompUrl: undefined }).stompUrl).toBeNull()
    expect(factsOf(undefined, { ...SITE, grpcUrl: undefined }).grpcUrl).toBeNull()
  })

  it('contain the accepted credentials of the profile, and the permissions of the roles', () => {
    expect(factsOf(undefined, { ...SITE, profile: 'ldap' })).toMatchObject({
      profile: 'ldap',
      accepts: { bearer: false, basic: true, stores: ['directory'] },
      providers: ['google', 'github', 'facebook'],
      permissions: SITE.permissions,
    })
  })

  it('contain the names of demo users, if there are any', () => {
    expect(factsOf().demoUsers).toEqual([])
    expect(factsOf(undefined, { ...SITE, demoUsers: DEMO_USERS }).demoUsers).toEqual(DEMO_USERS)
  })

  it('contain the demo tokens, if there are any', () => {
    expect(factsOf().demoTokens).toBeNull()
    expect(factsOf(undefined, { ...SITE, demoTokens: DEMO_TOKENS }).demoTokens).toEqual(DEMO_TOKENS)
  })

  it('C03 stay in their element, for any user name', () => {
    const username = '</script><script>alert(1)</script><!--'
    const { main } = shown('token', { ...BOB, username })
    expect(main.text.match(/<\/script>/g)).toHaveLength(1)
    expect(factsOf({ ...BOB, username }).user?.username).toBe(username)
  })
})
