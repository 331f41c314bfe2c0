import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../../lib/auth/principal.ts'
import { homePage } from '../../../../lib/http/pages/home.ts'
import { ALICE, BOB, DEMO_USERS, SITE, viewOf } from '../../../support/fakes/pages.ts'

function shown(principal?: Principal, site = SITE): string {
  return homePage(viewOf(principal), site, undefined).main.text
}

describe('the home page', () => {
  it('leads an anonymous visitor to the login', () => {
    expect(shown()).toMatch(/<a [^>]*href="\/login">/)
    expect(shown()).not.toMatch(/method="post"|random/)
  })

  it('logs in with one click if there are demo users', () => {
    const text = shown(undefined, { ...SITE, demoUsers: DEMO_USERS })
    expect(text.match(/<form method="post" action="\/login">/g)).toHaveLength(2)
    expect(shown(ALICE, { ...SITE, demoUsers: DEMO_USERS })).not.toContain('action="/login"')
  })

  it.each([
    ['anybody', undefined],
    ['an admin', ALICE],
  ])('shows %s the webhooks, the lab and the reference', (_, principal) => {
    for (const door of ['/console/webhooks', '/console/playground', '/docs'])
      expect(shown(principal)).toMatch(new RegExp(`<a class="btn" href="${door}">`))
  })

  it('has a place for the latest events only for an admin', () => {
    expect([undefined, BOB, ALICE].map((principal) => shown(principal).includes('data-latest'))).toEqual([
      false,
      false,
      true,
    ])
  })

  it('computes the answers of the lab like the endpoints', () => {
    const cells = [...shown().matchAll(/<code>(\w+ [^<]*)<\/code><\/th>(.*)<\/tr>/g)].map(([, endpoint, row = '']) => [
      endpoint,
      ...[...row.matchAll(/>(\d{3})</g)].map(([, status]) => status),
    ])
    expect(cells).toEqual([
      ['GET /public/hello', '200', '200', '200'],
      ['GET /user/secure', '401', '200', '200'],
      ['GET /admin/secure', '401', '403', '200'],
      ['POST /users', '401', '403', '201'],
    ])
  })

  it('names the stage; addresses are shown on the local one only', () => {
    const text = shown()
    expect(text).toContain('Local stage, profile default')
    for (const address of ['127.0.0.1:3000', '127.0.0.1:3001/ws']) expect(text).toContain(`>${address}<`)
    expect(text).toContain('Google, GitHub, Facebook')
    const deployed = shown(undefined, { ...SITE, isLocal: false, profile: 'jwt' })
    expect(deployed).toContain('Profile jwt')
    expect(deployed).not.toMatch(/Local stage|>127\.0\.0\.1/)
  })

  it('has one logout, for everywhere, and shows the name of a user of a provider', () => {
    const oauth2 = { provider: 'google', email: null, name: 'Ada\u202e', picture: null, attributes: {} }
    const text = shown({ ...ALICE, username: 'google:11', authType: 'OAuth2', oauth2 })
    expect(text).toContain('<h1 class="hero">You are logged in as Ada[U+202E].</h1>')
    expect([...text.matchAll(/action="\/logout([^"]*)"/g)].map(([, query]) => query)).toEqual(['?everywhere=true'])
  })

  it.each([
    'Alice',
    'ROLE_USER, ROLE_ADMIN',
    'READ on User; CREATE, DELETE on User',
    'the login form (FORM), as a user of the database',
  ])('shows who is logged in, how and with which credentials: %s', (text) => {
    expect(shown(ALICE)).toContain(`<dd>${text}</dd>`)
  })

  it.each<[string, string]>([
    ['2026-01-02T03:34:05Z', '30 minutes'],
    ['2026-01-02T03:05:04Z', '1 minute'],
    ['2026-01-02T15:04:00Z', '11 hours, 59 minutes'],
  ])('shows the remaining time of a session that ends at %s: %s', (end, left) => {
    const text = shown({ ...ALICE, sessionExpiresAt: new Date(end) })
    expect(text).toContain(`<time datetime="${new Date(end).toISOString()}">`)
    expect(text).toContain(`>in ${left}<`)
  })

  it('shows the profile from the identity provider', () => {
    const oauth2 = { provider: 'google', email: 'ada@example.com', name: 'Ada <A>', picture: null, attributes: {} }
    const text = shown({ ...ALICE, authType: 'OAuth2', principalType: 'OidcUser', oauth2 })
    for (const value of ['ada@example.com', 'Ada &lt;A&gt;']) expect(text).toContain(`<dd>${value}</dd>`)
    expect(text).toContain('an identity provider (OAuth2), as a user of an OpenID Connect provider')
  })

  it('accepts a user without a role', () => {
    expect(shown({ ...ALICE, roles: [] })).toMatch(/Roles<\/dt><dd>none<.*\n<dt>Permissions<\/dt><dd>none</)
  })

  it.each([
    ['http://127.0.0.1:3000', 'Path=/; HttpOnly; SameSite=Lax', 'Path=/; SameSite=Lax'],
    ['https://gatehouse.example', 'Path=/; HttpOnly; Secure; SameSite=Lax', 'Path=/; Secure; SameSite=Lax'],
  ])('shows the attributes of the cookies at %s', (baseUrl, session, token) => {
    const text = shown(BOB, { ...SITE, baseUrl: new URL(baseUrl) })
    expect([...text.matchAll(/<br><code>(.*?)<\/code>/g)].map(([, attributes]) => attributes)).toEqual([session, token])
  })

  it('C05 never repeats the endpoint from the address', () => {
    const { text } = homePage(viewOf(ALICE), SITE, '"><script>alert(1)</script>').main
    expect(text).not.toContain('alert')
  })

  it('C03 escapes every name', () => {
    const tags = (text: string) => text.match(/<[^>]*>/g)
    const text = shown({ ...ALICE, username: '<img src=x>' })
    expect(text).toContain('&lt;img src=x&gt;')
    expect(tags(text)).toEqual(tags(shown(ALICE)))
  })
})
