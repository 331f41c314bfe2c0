import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fail, unavailable } from '../../../lib/errors.ts'
import { loginPage, orLoginPage } from '../../../lib/http/login-page.ts'
import { redirect } from '../../../lib/http/message.ts'
import type { View } from '../../../lib/http/view.ts'
import { httpEvent } from '../../support/fakes/http.ts'

const VIEW: View = {
  principal: undefined,
  csrfToken: 'random.signature',
  csrfCookie: 'XSRF-TOKEN=random.signature',
  providers: ['google', 'github', 'facebook'],
}

describe('the login page', () => {
  const { text } = loginPage(VIEW, {})

  it('has a form for POST /login with username, password and the token', () => {
    expect(text).toContain('<form method="post" action="/login">')
    expect(text).toContain('name="username"')
    expect(text).toMatch(/name="password" type="password"/)
    expect(text).toContain('<input type="hidden" name="_csrf" value="random.signature">')
  })

  it('offers the three login providers, or none', () => {
    for (const id of VIEW.providers) expect(text).toContain(`href="/oauth2/authorization/${id}"`)
    expect(loginPage({ ...VIEW, providers: [] }, {}).text).not.toContain('/oauth2/')
  })

  it.each<[string, Record<string, string>, boolean, boolean]>([
    ['nothing', {}, false, false],
    ['?error', { error: '' }, true, false],
    ['?logout', { logout: '' }, false, true],
    ['both', { error: '', logout: '' }, true, true],
    ['another parameter', { Error: '', x: 'error' }, false, false],
  ])('says what happened: %s', (_, query, isError, isLogout) => {
    const { text: shown } = loginPage(VIEW, query)
    expect([shown.includes('role="alert"'), shown.includes('role="status"')]).toEqual([isError, isLogout])
  })

  it('never repeats what the address says', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12 }), (value) => {
        expect(loginPage(VIEW, { error: value, logout: value }).text).toBe(
          loginPage(VIEW, { error: '', logout: '' }).text,
        )
      }),
    )
  })
})

describe('a form login that was refused', () => {
  const BAD = fail('BAD_CREDENTIALS', { authType: 'Login', reason: 'Bad credentials' })
  const attempt = (accept: string | undefined, error: Error) =>
    orLoginPage(httpEvent({ headers: accept === undefined ? {} : { accept } }), () => Promise.reject(error))

  it.each(['text/html', 'text/html,application/xhtml+xml,*/*;q=0.8', 'application/json, text/html'])(
    'is 302 /login?error when Accept names text/html: %s',
    async (accept) => {
      expect(await attempt(accept, BAD)).toMatchObject({ statusCode: 302, headers: { location: '/login?error' } })
    },
  )

  it('sets no cookie', async () => {
    expect((await attempt('text/html', BAD)).cookies).toEqual([])
  })

  it.each([undefined, '', '*/*', 'application/json', 'text/plain'])('is 401 JSON with Accept %s', async (accept) => {
    await expect(attempt(accept, BAD)).rejects.toBe(BAD)
  })

  it.each([
    fail('TOO_MANY_REQUESTS', { retryAfterSeconds: 7 }),
    unavailable(new Error('down')),
    fail('PAYLOAD_TOO_LARGE'),
    new TypeError('a bug'),
  ])('goes on for any other reason: %s', async (error) => {
    await expect(attempt('text/html', error)).rejects.toBe(error)
  })

  it('is nothing when it is let in', async () => {
    const event = httpEvent({ headers: { accept: 'text/html' } })
    expect(await orLoginPage(event, async () => redirect('/', ['a=b']))).toMatchObject({
      statusCode: 302,
      headers: { location: '/' },
      cookies: ['a=b'],
    })
  })
})
