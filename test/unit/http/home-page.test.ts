import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Principal } from '../../../lib/auth/principal.ts'
import { homePage } from '../../../lib/http/home-page.ts'
import type { View } from '../../../lib/http/view.ts'

const ALICE: Principal = {
  username: 'Alice',
  roles: ['ROLE_USER', 'ROLE_ADMIN'],
  authType: 'FORM',
  principalType: 'DatabaseUser',
  sessionExpiresAt: new Date('2026-01-02T03:34:05Z'),
}

function shown(principal: Principal | undefined): string {
  const view: View = { principal, csrfToken: 'random.signature', csrfCookie: '', providers: [] }
  return homePage(view).text
}

describe('the home page', () => {
  it('leads somebody who is not logged in to the login', () => {
    expect(shown(undefined)).toContain('<a href="/login">')
    expect(shown(undefined)).not.toMatch(/<form|random/)
  })

  it('says who is logged in, how and until when', () => {
    for (const text of ['Alice', 'ROLE_USER, ROLE_ADMIN', 'FORM', '2026-01-02T03:34:05.000Z'])
      expect(shown(ALICE)).toContain(`<dd>${text}</dd>`)
  })

  it('knows somebody without a role', () => {
    expect(shown({ ...ALICE, roles: [] })).toContain('<dd>none</dd>')
  })

  it.each(['/logout', '/logout?everywhere=true'])('has a form for POST %s with the token', (action) => {
    expect(shown(ALICE)).toContain(
      `<form method="post" action="${action}"><input type="hidden" name="_csrf" value="random.signature">`,
    )
  })

  it('lets no name become markup', () => {
    const tags = (text: string) => text.match(/<[^>]*>/g)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (username) => {
        expect(tags(shown({ ...ALICE, username }))).toEqual(tags(shown(ALICE)))
      }),
    )
    expect(shown({ ...ALICE, username: '<img src=x>' })).toContain('&lt;img src=x&gt;')
  })
})
