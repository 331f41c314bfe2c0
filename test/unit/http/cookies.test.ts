import { describe, expect, it } from 'vitest'
import { CSRF_COOKIE, cookiesOf, onOwnHost, ownCookies, SESSION_COOKIE } from '../../../lib/http/cookies.ts'
import { ok } from '../../../lib/http/message.ts'
import type { EndpointContext } from '../../../lib/http/middleware/call.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { httpEvent } from '../../support/fakes/http.ts'
import { recordingLog } from '../../support/fakes/log.ts'

const fromHeader = (cookie: string) => cookiesOf(httpEvent({ headers: { cookie } }))
const fromList = (...cookies: readonly string[]) => cookiesOf(httpEvent({ cookies }))

describe('the cookies of a request', () => {
  it.each<[string, string, object]>([
    ['two without a space', 'a=1;JSESSIONID=abc', { a: '1', JSESSIONID: 'abc' }],
    ['blanks around', ' JSESSIONID = abc ;', { JSESSIONID: 'abc' }],
    ['an equals sign in the value', 'a=b=c', { a: 'b=c' }],
    ['percent-encoding', 'a=%C3%A9', { a: 'é' }],
    ['broken percent-encoding, unchanged', 'a=%zz', { a: '%zz' }],
    ['names of a prototype', 'toString=x; constructor=y', { toString: 'x', constructor: 'y' }],
  ])('are parsed: %s', (_, text, expected) => {
    const wanted = new Map(Object.entries(expected))
    expect(fromHeader(text)).toEqual(wanted)
    expect(fromList(...text.split(';').map((pair) => pair.trim()))).toEqual(wanted)
  })

  it('may be called __proto__ without becoming a prototype', () => {
    expect(fromHeader('__proto__=x').get('__proto__')).toBe('x')
    expect(fromHeader('__proto__=x').get('toString')).toBeUndefined()
  })

  it('are read from the header if the gateway passes an empty list', () => {
    expect(cookiesOf(httpEvent({ cookies: [], headers: { cookie: 'a=1' } })).get('a')).toBe('1')
  })

  it.each([
    ['two of one name', ['JSESSIONID=a', 'JSESSIONID=b']],
    ['blanks in the name', ['JSESSIONID=a', ' JSESSIONID =b']],
    ['one hidden in another entry', ['JSESSIONID=a', 'x=1; JSESSIONID=b']],
  ])('that are repeated do not count: %s', (_, cookies) => {
    expect(fromList(...cookies).has(SESSION_COOKIE)).toBe(false)
    expect(fromHeader(cookies.join('; ')).has(SESSION_COOKIE)).toBe(false)
  })

  it.each(['jsessionid=x', '__Host-JSESSIONID=x', '%4ASESSIONID=x'])(
    'S03 with a similar name are not the session: %s',
    (text) => {
      expect(fromHeader(text).has(SESSION_COOKIE)).toBe(false)
    },
  )

  it('S03 in quotes are never equal to the id without quotes in one format only', () => {
    expect(fromHeader('JSESSIONID="abc"')).toEqual(fromList('JSESSIONID="abc"'))
    expect(fromHeader('JSESSIONID="abc"').get(SESSION_COOKIE)).toBeOneOf(['abc', '"abc"', undefined])
    expect(fromHeader('JSESSIONID="a; JSESSIONID=b"').has(SESSION_COOKIE)).toBe(false)
  })
})

/** A `Set-Cookie` text: the pair, and the attributes in any order and case. */
function attributes(text: string) {
  const [pair = '', ...rest] = text.split('; ')
  return { pair, flags: rest.map((flag) => flag.toLowerCase()).sort() }
}

describe('S06 a cookie of the service', () => {
  const [http, https] = [new URL('http://localhost:3000'), new URL('https://gatehouse.example')]

  it('is HttpOnly, SameSite=Lax, Path=/ and ends with the browser', () => {
    expect(attributes(ownCookies(http).set(SESSION_COOKIE, 'abc'))).toEqual({
      pair: 'JSESSIONID=abc',
      flags: ['httponly', 'path=/', 'samesite=lax'],
    })
  })

  it('is Secure on https', () => {
    expect(attributes(ownCookies(https).set(SESSION_COOKIE, 'abc')).flags).toEqual([
      'httponly',
      'path=/',
      'samesite=lax',
      'secure',
    ])
  })

  it('is readable by scripts if necessary', () => {
    const { pair, flags } = attributes(ownCookies(https).set(CSRF_COOKIE, 'r.s', { isReadable: true }))
    expect(pair).toBe('__Host-XSRF-TOKEN=r.s')
    expect(flags).toEqual(['path=/', 'samesite=lax', 'secure'])
  })

  it('may have an age', () => {
    const { flags } = attributes(ownCookies(http).set('a', 'b', { maxAge: 600 }))
    expect(flags).toEqual(['httponly', 'max-age=600', 'path=/', 'samesite=lax'])
  })

  it('is never split by its value', () => {
    const text = ownCookies(http).set('a', 'x; Domain=evil.example\r\nSet-Cookie: b=c')
    expect(text).not.toMatch(/[\r\n]|Domain=/)
    expect(fromHeader(attributes(text).pair).get('a')).toBe('x; Domain=evil.example\r\nSet-Cookie: b=c')
  })

  it('is cleared with the flags it was set with', () => {
    expect(attributes(ownCookies(https).clear(SESSION_COOKIE))).toEqual({
      pair: 'JSESSIONID=',
      flags: ['expires=thu, 01 jan 1970 00:00:00 gmt', 'httponly', 'max-age=0', 'path=/', 'samesite=lax', 'secure'],
    })
    expect(attributes(ownCookies(https).clear(CSRF_COOKIE))).toEqual({
      pair: '__Host-XSRF-TOKEN=',
      flags: expect.arrayContaining(['path=/', 'secure', 'max-age=0']),
    })
  })
})

describe('S21 a cookie from another site of the domain', () => {
  const https = ownCookies(new URL('https://gatehouse.example'))
  const http = ownCookies(new URL('http://localhost:3000'))
  const read = (from: typeof https, cookie: string) => Object.fromEntries(from.read(httpEvent({ headers: { cookie } })))

  it.each([
    ['under the name without the prefix', 'oauth2_tx_0=planted', {}],
    ['beside ours', 'oauth2_tx_0=planted; __Host-oauth2_tx_0=ours', { oauth2_tx_0: 'ours' }],
    ['with the prefix in other letters', '__host-oauth2_tx_0=planted', {}],
    ['twice with the prefix, from a browser that ignores prefixes', '__Host-oauth2_tx_0=a; __Host-oauth2_tx_0=b', {}],
  ])('%s has no effect over https', (_, cookie, expected) => {
    expect(read(https, cookie)).toEqual(expected)
  })

  it('with the prefix has no effect over http, where browsers ignore prefixes', () => {
    expect(read(http, '__Host-oauth2_tx_0=planted; oauth2_tx_0=ours')).toMatchObject({ oauth2_tx_0: 'ours' })
  })

  it.each(['oauth2_tx_0', CSRF_COOKIE])('cannot have the name that %s has over https', (name) => {
    const { pair, flags } = attributes(https.set(name, 'v'))
    expect(pair).toBe(`__Host-${name}=v`)
    // RFC 6265bis section 4.1.3.2 wants these, and no Domain.
    expect(flags).toEqual(['httponly', 'path=/', 'samesite=lax', 'secure'])
    expect(attributes(http.set(name, 'v')).pair).toBe(`${name}=v`)
  })
})

describe('H27 a local page under another loopback name', () => {
  async function answerAt(host: string | undefined, baseUrl: string, rawQueryString = '') {
    const edge: EndpointContext = {
      clock: fixedClock(),
      log: recordingLog(),
      baseUrl: new URL(baseUrl),
      trustedOrigins: [],
      trustedProxies: NO_NETWORKS,
      profile: 'default',
    }
    const headers: Record<string, string> = host === undefined ? {} : { host }
    const event = httpEvent({ path: '/login', headers, rawQueryString })
    const { statusCode, headers: answered } = await onOwnHost(event, edge, async () => ok({}))
    return statusCode === 200 ? 'answered' : `${statusCode} ${answered['location']}`
  }

  const LOCAL = 'http://localhost:3000'

  it.each([
    ['localhost:3000', LOCAL, 'answered'],
    ['127.0.0.1:3000', LOCAL, '302 http://localhost:3000/login'],
    ['[::1]:3000', LOCAL, '302 http://localhost:3000/login'],
    ['localhost:3000', 'http://127.0.0.1:3000', '302 http://127.0.0.1:3000/login'],
    ['localhost:8080', LOCAL, 'answered'],
    ['127.0.0.1.evil.example', LOCAL, 'answered'],
    ['localhost@evil.example', LOCAL, 'answered'],
    [undefined, LOCAL, 'answered'],
    ['127.0.0.1:3000', 'https://gatehouse.example', 'answered'],
  ])('%s with the base URL %s: %s', async (host, baseUrl, answer) => {
    expect(await answerAt(host, baseUrl)).toBe(answer)
  })

  it('redirects to the same page with the same query', async () => {
    expect(await answerAt('127.0.0.1:3000', LOCAL, 'error&a=%2F')).toBe('302 http://localhost:3000/login?error&a=%2F')
  })
})
