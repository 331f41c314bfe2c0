import { describe, expect, it } from 'vitest'
import { SCRIPT_PAGES } from '../../../../lib/contract/console.ts'
import { html } from '../../../../lib/http/pages/html.ts'
import { type PageContent, page } from '../../../../lib/http/pages/page.ts'
import { ALICE, SITE, viewOf } from '../../../support/fakes/pages.ts'

const CONTENT: PageContent = { title: '<Title>', path: '/', frame: 'console', main: html`<h1>${'<b>'}</h1>` }

function shown(view = viewOf(), content: Partial<PageContent> = {}): string {
  return page(SITE, view, { ...CONTENT, ...content }).body ?? ''
}

describe('a page', () => {
  const { statusCode, headers, cookies, body = '' } = page(SITE, viewOf(), CONTENT, ['a=1', 'b=2'])

  it('is HTML in UTF-8', () => {
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(body).toMatch(/^<!doctype html>\n<html lang="en">/)
  })

  it('has its title and texts escaped', () => {
    expect(body).toContain('<title>&lt;Title&gt; · Gatehouse</title>')
    expect(body).toContain('<h1>&lt;b&gt;</h1>')
  })

  it('has its cookies, or none', () => {
    expect(cookies).toEqual(['a=1', 'b=2'])
    expect(page(SITE, viewOf(), CONTENT).cookies).toEqual([])
  })

  it('loads style and icon under their served names', () => {
    expect(body).toContain('<link rel="stylesheet" href="/assets/style-1.css">')
    expect(body).toContain('href="/assets/icon-1.svg"')
  })

  it('loads no script, or the named one with its imports', () => {
    expect(body).not.toContain('<script')
    const withScript = shown(viewOf(), { script: 'token' })
    expect(withScript).toContain('<link rel="modulepreload" href="/assets/shared-1.js">')
    expect(withScript.match(/<script.*/g)).toEqual(['<script type="module" src="/assets/token-1.js"></script>'])
  })

  it('cannot name a missing script', () => {
    expect(() => shown(viewOf(), { script: 'nothing' })).toThrow('no script nothing')
  })
})

describe('C01 the Content-Security-Policy of a page', () => {
  const policyWith = (stompUrl: URL | undefined) =>
    page({ ...SITE, stompUrl }, viewOf(), CONTENT).headers['content-security-policy']?.split('; ')

  const COMMON = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]

  it.each([
    ['ws://127.0.0.1:3001/ws', "connect-src 'self' ws://127.0.0.1:3001"],
    ['wss://stomp.example/ws?a=1', "connect-src 'self' wss://stomp.example"],
    [undefined, "connect-src 'self'"],
  ])('allows files and forms of this service, the adapter at %s, and nothing else', (address, connect) => {
    expect(policyWith(address === undefined ? undefined : new URL(address))?.sort()).toEqual(
      [...COMMON, connect].sort(),
    )
  })

  it('is satisfied by the page: nothing inline', () => {
    expect(shown(viewOf(ALICE), { script: 'home' })).not.toMatch(/<style|\sstyle=|\son\w+=|<script>|javascript:/i)
  })
})

describe('the menu of the console', () => {
  it.each([
    ['an anonymous visitor', undefined],
    ['an admin', ALICE],
  ])('links %s to every page', (_, principal) => {
    const text = shown(viewOf(principal))
    const pages = SCRIPT_PAGES.filter((name) => !['account', 'deliveries'].includes(name))
    for (const name of pages) expect(text).toContain(`<a href="/console/${name}"`)
    expect(text.includes('href="/console/account"'), 'an account').toBe(principal !== undefined)
    expect(text).toContain('<a href="/docs"')
  })

  it('marks the present page', () => {
    const text = shown(viewOf(), { path: '/console/webhooks' })
    expect(text.match(/<a [^>]*aria-current="page">/g)).toEqual([
      '<a href="/console/webhooks" title="Events" aria-current="page">',
    ])
  })

  it('shows who is logged in, and logs out', () => {
    const text = shown(viewOf({ ...ALICE, username: '<Alice>' }))
    expect(text).toContain('&lt;Alice&gt;')
    expect(text).toContain('action="/logout">\n<input type="hidden" name="_csrf" value="random.signature">')
  })

  it.each(['console', 'site'] as const)(
    'shows a name with a change of direction as it is: in the frame of the %s',
    (frame) => {
      const text = shown(viewOf({ ...ALICE, username: 'a\u202eb' }), { frame })
      expect(text).toContain('a[U+202E]b')
      expect(text).not.toContain('\u202e')
    },
  )

  it.each(['console', 'site'] as const)('links to the login: in the frame of the %s', (frame) => {
    expect(shown(viewOf(), { frame })).toContain('href="/login"')
  })

  it('does not link from the login to the login', () => {
    expect(shown(viewOf(), { frame: 'site', path: '/login' })).not.toContain('href="/login"')
  })

  it.each(['console', 'site'] as const)('begins with a link to the content: in the frame of the %s', (frame) => {
    expect(shown(viewOf(), { frame })).toMatch(/<body class="\w+">\n<a class="skip" href="#content">/)
    expect(shown(viewOf(), { frame })).toMatch(/<main id="content" class="[^"]+" tabindex="-1">/)
  })
})
