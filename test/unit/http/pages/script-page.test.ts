import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { referenceOf } from '../../../../infra/reference/reference.ts'
import type { Principal } from '../../../../lib/auth/principal.ts'
import { type ConsoleFacts, SCRIPT_PAGES } from '../../../../lib/contract/console.ts'
import { fail } from '../../../../lib/errors.ts'
import { Html } from '../../../../lib/http/pages/html.ts'
import { page } from '../../../../lib/http/pages/page.ts'
import { docsPage, scriptPage } from '../../../../lib/http/pages/script-page.ts'
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
      providers: [{ id: 'google', label: 'Google' }, {}, {}],
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

const TEXT = readFileSync('docs/openapi.json', 'utf8')
const REFERENCE = new Html(referenceOf(TEXT))
const NAMES = [...TEXT.matchAll(/"operationId": "(\w+)"/g)].map(([, name = '']) => name)

const bodyFor = (view = viewOf(ALICE)) => page(SITE, view, docsPage(REFERENCE, view, SITE)).body ?? ''

it('has a section for each operation, and a link to each in its contents and in its group', () => {
  const body = bodyFor()
  expect(NAMES.length).toBeGreaterThan(50)
  for (const name of NAMES) {
    expect(body.split(` id="${name}"`), name).toHaveLength(2)
    expect(body.split(`href="#${name}"`), name).toHaveLength(4)
  }
})

it('is marked in the menu of the console, which links to every other page', () => {
  const body = bodyFor()
  expect(body).toContain('<a href="/docs" title="API reference" aria-current="page">')
  for (const path of ['/', '/console/webhooks', '/console/playground', '/console/account'])
    expect(body).toContain(`href="${path}"`)
})

it('offers the login to an anonymous visitor, and leads back', () => {
  expect(bodyFor({ ...viewOf(), address: '/docs' })).toContain('href="/login?returnTo=%2Fdocs"')
})

it('describes the headers of every answer once', () => {
  expect(bodyFor().split('<code>X-Frame-Options</code>')).toHaveLength(2)
})

it('shows markup of a description as text', () => {
  const document = JSON.parse(TEXT)
  document.paths['/api/users'].get.summary = '<img src=x>'
  const text = referenceOf(JSON.stringify(document))
  expect(text).toContain('&lt;img src=x&gt;')
  expect(text).not.toContain('<img')
})
