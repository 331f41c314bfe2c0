import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fail, unavailable } from '../../../../lib/errors.ts'
import { redirect } from '../../../../lib/http/message.ts'
import { loginPage, orLoginPage } from '../../../../lib/http/pages/login.ts'
import { httpEvent } from '../../../support/fakes/http.ts'
import { ALICE, DEMO_USERS, SITE, viewOf } from '../../../support/fakes/pages.ts'

const VIEW = viewOf()

function shown(query: Readonly<Record<string, string>> = {}, { view = VIEW, site = SITE } = {}): string {
  return loginPage(view, site, query).main.text
}

describe('the login page', () => {
  const text = shown()

  it('has a form for POST /login with username, password and the token', () => {
    expect(text).toContain('<form method="post" action="/login"')
    expect(text).toContain('name="username"')
    expect(text).toMatch(/name="password" type="password"/)
    expect(text).toContain('<input type="hidden" name="_csrf" value="random.signature">')
  })

  it.each([
    ['google', 'Google'],
    ['github', 'GitHub'],
    ['facebook', 'Facebook'],
  ])('offers the login with %s by a link, because a form could not navigate there', (id, name) => {
    expect(text).toMatch(
      new RegExp(`<a [^>]*href="/oauth2/authorization/${id}"><span class="hide">Log in with </span>${name}</a>`),
    )
  })

  it.each([
    ['on', true],
    ['off', false],
    ['needs-name', false],
  ] as const)('allows its script to offer passkeys if they are %s: %s', (passkeys, isOffered) => {
    expect(shown({}, { site: { ...SITE, passkeys } }).includes(' data-passkeys')).toBe(isOffered)
  })

  it('offers no provider if there is none', () => {
    expect(shown({}, { view: { ...VIEW, providers: [] } })).not.toContain('/oauth2/')
  })

  it.each<[string, Record<string, string>, string | undefined, string | undefined]>([
    ['nothing', {}, undefined, undefined],
    ['?error', { error: '' }, 'The login did not succeed. Check the user name and the password', undefined],
    [
      'a login at a provider',
      { error: 'provider' },
      'The login with the provider did not succeed. This is a fault',
      undefined,
    ],
    [
      'its fault',
      { error: 'provider', id: 'google', fault: 'provider' },
      'This is a fault of Google, not yours.',
      undefined,
    ],
    [
      'a fault of the settings',
      { error: 'provider', id: 'google', fault: 'settings' },
      'The settings of this',
      undefined,
    ],
    ['a fault of the person', { error: 'provider', id: 'google', fault: 'person' }, 'Begin it again.', undefined],
    ['?canceled=google', { canceled: 'google' }, undefined, 'You canceled the login at Google.'],
    ['?canceled=constructor', { canceled: 'constructor' }, undefined, 'You canceled the login at the provider.'],
    ['?throttled', { throttled: '' }, 'too many attempts', undefined],
    ['?unavailable', { unavailable: '' }, 'cannot be checked', undefined],
    ['?logout', { logout: '' }, undefined, 'You are logged out.'],
    ['another parameter', { Error: '', x: 'error' }, undefined, undefined],
  ])('shows the result: %s', (_, query, alert, status) => {
    const said = shown(query)
    const textIn = (role: string) => new RegExp(`role="${role}".*?</svg>(?:</span>)? (.*?)</p>`).exec(said)?.[1]
    expect([textIn('alert') === undefined, textIn('status')]).toEqual([alert === undefined, status])
    expect(textIn('alert') ?? '').toContain(alert ?? '')
  })

  it.each([
    ['nothing happened', {}, 'Log in', 'input'],
    ['it was refused', { error: '' }, 'Login failed', 'p'],
  ])('puts the focus in one place, and a notice into the title, when %s', (_, query, title, element) => {
    expect(shown(query).match(/<[^>]* autofocus>/g)).toEqual([expect.stringMatching(`^<${element} `)])
    expect(loginPage(VIEW, SITE, query).title).toBe(title)
  })

  it('C05 never repeats a text from the address', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 12 }), (value) => {
        const query = { error: '', canceled: 'provider', logout: '' }
        expect(shown({ error: value, canceled: value, logout: value })).toBe(shown(query))
        const failed = { error: 'provider', id: value, fault: value }
        expect(shown(failed)).toBe(shown({ error: 'provider' }))
      }),
    )
  })

  it('redirects to the former page, by the form and by each provider', () => {
    const [back, wanted] = ['/console/webhooks?status=FAILED&q=a', '%2Fconsole%2Fwebhooks%3Fstatus%3DFAILED%26q%3Da']
    const led = shown({ returnTo: back, error: '' })
    expect(led).toContain('<input type="hidden" name="returnTo" value="/console/webhooks?status=FAILED&amp;q=a">')
    for (const { id } of VIEW.providers) {
      expect(led).toContain(`href="/oauth2/authorization/${id}?returnTo=${wanted}"`)
    }
  })

  it.each(['//evil.example', '/\t/evil.example'])('S05 redirects to the start page instead of %j', (returnTo) => {
    expect(shown({ returnTo })).toBe(text)
  })

  it('shows demo users if there are some', () => {
    expect(text).not.toContain('Demo users')
    expect(shown({}, { site: { ...SITE, demoUsers: DEMO_USERS } })).toContain('ann-demo')
  })

  it('shows a logged-in user this state, for any notice', () => {
    const said = shown({ canceled: 'google' }, { view: viewOf(ALICE) })
    expect(said).toContain('You are logged in as <b>Alice</b>.')
    expect(said).not.toContain('role="alert"')
    expect(text).not.toContain('You are logged in')
  })

  it.each([
    ['/console/webhooks?status=FAILED', '<b>Events</b>'],
    ['/docs', '<b>API reference</b>'],
    ['/Call-0900-1234-now', 'the page that you came from'],
  ])('names the page to which %s leads, and repeats no address', (returnTo, name) => {
    expect(shown({ returnTo })).toContain(`You will return to ${name}.`)
    expect(text).not.toContain('You will return')
  })

  it('contains the refused user name again, as text', () => {
    const { main } = loginPage(VIEW, SITE, { error: '' }, '"><b>ann')
    expect(main.text).toMatch(/<input id="username" [^>]* value="&quot;&gt;&lt;b&gt;ann">/)
    expect(text).not.toMatch(/<input id="username" [^>]* value=/)
  })
})

describe('a form login that was refused', () => {
  const BAD = fail('BAD_CREDENTIALS', { authType: 'Login', reason: 'Bad credentials' })
  const attempt = (accept: string | undefined, error: Error) =>
    orLoginPage(httpEvent({ headers: accept === undefined ? {} : { accept } }), SITE, '/', () => Promise.reject(error))

  it.each(['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json, text/html'])(
    'is 302 /login?error when Accept names text/html: %s',
    async (accept) => {
      expect(await attempt(accept, BAD)).toMatchObject({ statusCode: 302, headers: { location: '/login?error' } })
    },
  )

  it('keeps the page to which the login should lead', async () => {
    const event = httpEvent({ headers: { accept: 'text/html' } })
    const { headers } = await orLoginPage(event, SITE, '/console/token?a=b', () => Promise.reject(BAD))
    expect(headers['location']).toBe('/login?error&returnTo=%2Fconsole%2Ftoken%3Fa%3Db')
  })

  it('keeps the user name for a minute, in a cookie that no script can read; no empty one and no long one', async () => {
    const cookiesFor = async (username: string) => {
      const body = new URLSearchParams({ username, password: 'wrong' }).toString()
      const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
      const event = httpEvent({ method: 'POST', headers, body })
      return (await orLoginPage(event, SITE, '/', () => Promise.reject(BAD))).cookies
    }
    expect(await cookiesFor('ä; b')).toEqual(['login_name=%C3%A4%3B%20b; Max-Age=60; Path=/; HttpOnly; SameSite=Lax'])
    expect(await cookiesFor('')).toEqual([])
    expect(await cookiesFor('x'.repeat(101))).toEqual([])
  })

  it.each([undefined, '*/*'])('is 401 JSON with Accept %s', async (accept) => {
    await expect(attempt(accept, BAD)).rejects.toBe(BAD)
  })

  it.each([
    [fail('TOO_MANY_REQUESTS', { retryAfterSeconds: 7 }), '/login?throttled'],
    [unavailable(new Error('down')), '/login?unavailable'],
  ])(
    'is 302 in a browser, and is thrown otherwise, for any other error that ends by waiting: %s',
    async (error, page) => {
      expect(await attempt('text/html', error)).toMatchObject({ statusCode: 302, headers: { location: page } })
      await expect(attempt('application/json', error)).rejects.toBe(error)
    },
  )

  it.each([fail('PAYLOAD_TOO_LARGE'), new TypeError('a bug')])('is thrown for any other error: %s', async (error) => {
    await expect(attempt('text/html', error)).rejects.toBe(error)
  })

  it('changes nothing after a successful login', async () => {
    const event = httpEvent({ headers: { accept: 'text/html' } })
    expect(await orLoginPage(event, SITE, '/', async () => redirect('/', ['a=b']))).toMatchObject({
      statusCode: 302,
      headers: { location: '/' },
      cookies: ['a=b'],
    })
  })
})
