import { Buffer } from 'node:buffer'
import { returnAddress } from '../../../lib/auth/csrf.ts'
import type { Principal } from '../../../lib/auth/principal.ts'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import { eventQuery } from '../../../lib/contract/requests/events.ts'
import { loginForm } from '../../../lib/contract/requests/login.ts'
import { newReplay } from '../../../lib/contract/requests/replays.ts'
import { newUser } from '../../../lib/contract/requests/users.ts'
import type { Route } from '../../../lib/contract/route.ts'
import { cookiesOf } from '../../../lib/http/cookies.ts'
import { form, formField } from '../../../lib/http/form.ts'
import { json } from '../../../lib/http/json.ts'
import { addressOf } from '../../../lib/http/message.ts'
import {
  type BasicCredentials,
  type Checks,
  check,
  findCredentials,
} from '../../../lib/http/middleware/authenticate.ts'
import { type Input, readInput } from '../../../lib/http/middleware/validate.ts'
import { query } from '../../../lib/http/query.ts'
import { errorFormat, matchRoute, noEndpoint, sentPath } from '../../../lib/http/routing.ts'
import { canonicalAddress, networksOf } from '../../../lib/runtime/address.ts'
import { consoleLog } from '../../../lib/runtime/log.ts'
import { START } from '../../support/fakes/clock.ts'
import { httpEvent } from '../../support/fakes/http.ts'
import { changedJson } from '../json-change.ts'
import { unlessRefused } from '../refusal.ts'
import { bytesOf, hold, type Target } from '../target.ts'

/** As Node hands headers over: a character for each byte. */
const headerOf = (input: Buffer) => input.toString('latin1')

const BASE_URL = new URL('https://gatehouse.example')

let given: BasicCredentials | undefined
let token: string | undefined
const NOBODY = { username: 'nobody' } as unknown as Principal
const CHECKS: Checks = {
  bearer(text) {
    token = text
    return NOBODY
  },
  async basic(credentials) {
    given = credentials
    return NOBODY
  },
  session: async () => undefined,
}

/** Basic credentials that were read say the same when they are written again; a bearer token is a part of the header. */
const authorization: Target = {
  name: 'authorization',
  seeds: bytesOf(
    'Basic YWxpY2U6c2VjcmV0',
    `Basic ${Buffer.from('zoé:pass:wörd').toString('base64')}`,
    'Bearer aaa.bbb.ccc',
    'bearer\taaa',
    'Digest x',
    'Basic YTpi, Bearer x',
  ),
  dictionary: ['Basic ', 'Bearer ', 'basic', 'Og==', '=', ':', ' ', ',', 'w6k=', '/w=='],
  run(input) {
    const authorization = headerOf(input)
    const event = httpEvent({ headers: { authorization, cookie: `JSESSIONID=${authorization}` } })
    given = undefined
    token = undefined
    const found = unlessRefused(['VALIDATION_FAILED'], () => findCredentials(event, CHECKS))
    if (found) unlessRefused(['BAD_CREDENTIALS'], () => check(found, CHECKS, () => '192.0.2.1'))
    hold(token === undefined || authorization.endsWith(token), 'a token that was not sent')
    if (given) checkBasic(given, authorization)
  },
}

function checkBasic({ username, password }: BasicCredentials, authorization: string): void {
  hold(!username.includes(':'), 'a colon in a user name')
  const again = Buffer.from(`${username}:${password}`)
  const sent = Buffer.from(authorization.slice(authorization.search(/\s/)).trim(), 'base64')
  hold(again.equals(sent), 'credentials that were not sent')
}

/** A cookie that counts was sent under its name, once. */
const cookies: Target = {
  name: 'cookies',
  seeds: bytesOf(
    'JSESSIONID=abc; XSRF-TOKEN=d.e',
    'a="b"; JSESSIONID=%61',
    'JSESSIONID=1;JSESSIONID=2',
    '__proto__=x; =y',
  ),
  dictionary: ['JSESSIONID=', 'XSRF-TOKEN=', '; ', '%', '%C3%A9', '"', '__proto__=', 'constructor=', '__Host-'],
  run(input) {
    const line = headerOf(input)
    const found = cookiesOf(httpEvent({ headers: { cookie: line } }))
    const inParts = cookiesOf(httpEvent({ cookies: line.split('; ') }))
    for (const [name, value] of found) {
      hold(typeof value === 'string' && line.includes(name), 'a cookie that was not sent')
      hold(name === '' || inParts.get(name) === value, 'a cookie that depends on how the gateway hands it over')
    }
  },
}

const readLogin = form(loginForm)

/** A field that counts is in the body once, and nothing else gets in. */
const forms: Target = {
  name: 'forms',
  seeds: bytesOf(
    'username=alice&password=secret',
    'username=a+b%20c&password=%C3%A9&_csrf=x.y',
    'username=a&username=b',
    '_csrf=%A1',
    '&&=&',
  ),
  dictionary: ['username=', '&password=', '_csrf=', '%', '%00', '%FF', '+', '=', '&', '__proto__='],
  run(body) {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
    const event = httpEvent({ method: 'POST', headers, body })
    const refusals = ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE'] as const
    const login = unlessRefused(refusals, () => readLogin(event))
    const csrf = unlessRefused(refusals, () => formField(event, '_csrf'))
    hold(csrf === undefined || body.includes('_csrf') || body.includes('%'), 'a field that was not sent')
    if (login) {
      hold(login.username !== '' && login.password !== '', 'an empty name or password')
      hold(Object.keys(login).length === 2, 'fields that nobody asked for')
    }
  },
}

const READ_BODY: readonly Input<unknown>[] = [json(newUser), json(newReplay)]

/** What is read has the shape that was asked for, and nothing is left behind. */
const bodies: Target = {
  name: 'json-bodies',
  seeds: bytesOf(
    '{"username":"zoé","password":"long enough","role":"ROLE_USER"}',
    '{"replayId":"r-1","filter":{"source":"stripe","from":"2026-01-01T00:00:00","dead":true},"ratePerSecond":5,"dryRun":true}',
    '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
    `${'['.repeat(101)}${']'.repeat(101)}`,
  ),
  dictionary: ['"username":', '"password":', '"role":"ROLE_ADMIN"', '"filter":{', '"replayId":', '\\u0000', '\\ud800'],
  change: changedJson,
  run(body) {
    const event = httpEvent({ method: 'POST', headers: { 'content-type': 'application/json' }, body })
    for (const read of READ_BODY)
      unlessRefused(['VALIDATION_FAILED', 'MEDIA_TYPE_UNSUPPORTED', 'CODING_UNSUPPORTED'], () => readInput(read, event))
    hold(!('polluted' in {}), 'a changed prototype')
  },
}

const readQuery = query(eventQuery)

const queries: Target = {
  name: 'queries',
  seeds: bytesOf(
    'status=FAILED&source=stripe&limit=50',
    'type=a%20b&from=2026-01-01T00:00:00.000Z&to=2026-01-02T00:00:00&q=%C3%A9&dead=true&cursor=abc',
    'limit=1&limit=2',
    'source=a&source=b&type=c&status=FAILED&status=RETRY',
    'q=%FF',
  ),
  dictionary: ['status=', 'source=', 'from=', '&to=', 'limit=', 'dead=', 'cursor=', '-02-30', '%', '+', '%00'],
  run(input) {
    const event = httpEvent({ rawQueryString: headerOf(input) })
    const filter = unlessRefused(['VALIDATION_FAILED'], () => readInput(readQuery, event))
    if (!filter) return
    const { limit, from, to } = filter
    hold(limit >= 1 && limit <= 200, 'a page of no size')
    hold(!(from && to) || from <= to, 'a span that ends before it begins')
  },
}

/** Wherever a login leads, it stays on this host. */
const returnPaths: Target = {
  name: 'return-paths',
  seeds: bytesOf(
    '/console/?a=b#c',
    '//evil.example',
    '/\\evil.example',
    'https:evil',
    '/%2F/evil',
    '/..//evil',
    '/\t/evil',
  ),
  dictionary: ['//', '/\\', 'https:', 'javascript:', '\t', '\r\n', '@', '..', '/./', '%2e', '%5c', '//evil.example'],
  run(input) {
    for (const wanted of [headerOf(input), input.toString()]) {
      const address = returnAddress(wanted, BASE_URL)
      hold(new URL(address, BASE_URL).origin === BASE_URL.origin, 'a way to another host')
      hold(/^\/(?![/\\])[\x21-\x7e]*$/.test(address), 'a way that a browser may read otherwise')
    }
  },
}

const TRUST = { trustedProxies: networksOf(['192.0.2.0/24', '2001:db8::/32']) }

/** Whoever calls has one canonical address, and only trusted proxies are believed. */
const addresses: Target = {
  name: 'addresses',
  seeds: bytesOf(
    '203.0.113.7',
    '203.0.113.7:80, 192.0.2.9',
    '[2001:db8::1]:443, ::ffff:192.0.2.4',
    '1.2.3.4,,unknown',
    '::1%eth0',
  ),
  dictionary: ['192.0.2.', '::ffff:', '2001:db8::', ':80', '[', ']', ', ', '%', '0x7f', '01.'],
  run(input) {
    const headers = { 'x-forwarded-for': headerOf(input) }
    const address = addressOf(httpEvent({ headers }), TRUST)
    hold(canonicalAddress(address) === address, 'an address in a form of its own')
  },
}

const ALL = Object.values<Route>(ROUTES)

/** A path leads to one endpoint at most, whether the gateway decoded it or not. */
const paths: Target = {
  name: 'paths',
  seeds: bytesOf(
    '/api/admin/secure',
    '/api/webhooks/events/stripe/a%2Fb',
    '/webhooks/slack',
    '/api//admin/./secure',
    '/login/oauth2/code/google',
    '/%61pi/admin/secure',
  ),
  dictionary: ['/api/', '/webhooks/', '%2F', '%2f', '%252F', '%00', '..', '//', '%', '%FF', 'events/', '.verify'],
  run(input) {
    const rawPath = headerOf(input)
    for (const route of ALL) {
      const parameters = matchRoute(route, rawPath)
      if (!parameters) continue
      errorFormat(route, rawPath)
      const decoded = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => parameters[name] ?? '')
      const event = { ...httpEvent({ path: decoded }), pathParameters: { ...parameters } }
      const again = matchRoute(route, sentPath(route, event))
      hold(JSON.stringify(again) === JSON.stringify(parameters), 'a path that means something else once it is decoded')
    }
    hold(noEndpoint('GET', rawPath, 'default').status >= 400, 'no refusal')
  },
}

/** Whatever stands in a header leaves one line of JSON in the log. */
const logLines: Target = {
  name: 'log-lines',
  seeds: bytesOf('Mozilla/5.0', 'a\r\n{"level":"INFO"}', '\u001b[31mred', '\u2028\u0085'),
  dictionary: ['\r\n', '\u001b[2J', '\u2028', '\u2029', '\u0085', '"', '\\', '\u007f'],
  run(input) {
    const lines: string[] = []
    const log = consoleLog(
      () => START,
      (line) => lines.push(line),
    )
    for (const text of [headerOf(input), input.toString()]) {
      log.info('called', { userAgent: text, cause: new Error(text) })
      hold(JSON.parse(lines.at(-1) ?? '').userAgent === text, 'a line that says something else')
    }
    hold(!/[\p{Cc}\u2028\u2029]/u.test(lines.join('')), 'a character that ends a line')
  },
}

export const HTTP_TARGETS: readonly Target[] = [
  authorization,
  cookies,
  forms,
  bodies,
  queries,
  returnPaths,
  addresses,
  paths,
  logLines,
]
