import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../lib/contract/route.ts'
import { ADMIN_CREDENTIALS } from '../support/admin-credentials.ts'
import { call } from '../support/client.ts'
import { partOf } from '../support/full-runs.ts'

const PROTECTED = Object.values<Route>(ROUTES).filter(({ access }) => access !== 'public' && access !== 'signature')
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** The same path in other words: what filters, routers and proxies have been seen to disagree on. */
const SPELLINGS: readonly (readonly [string, (path: string) => string])[] = [
  ['trailing slash', (path) => `${path}/`],
  ['two trailing slashes', (path) => `${path}//`],
  ['leading double slash', (path) => `/${path}`],
  ['double slash inside', (path) => path.replace('/api/', '/api//')],
  ['dot segment', (path) => path.replace('/api/', '/api/./')],
  ['dot-dot segment', (path) => path.replace('/api/', '/api/x/../')],
  ['dot-dot from the public endpoint', (path) => `/api/public/..${path.slice(4)}`],
  ['encoded dot-dot', (path) => `/api/public/%2e%2e${path.slice(4)}`],
  ['half encoded dot-dot', (path) => `/api/public/.%2e${path.slice(4)}`],
  ['double encoded dot-dot', (path) => `/api/public/%252e%252e${path.slice(4)}`],
  ['trailing dot', (path) => `${path}.`],
  ['trailing dot segment', (path) => `${path}/.`],
  ['trailing dot-dot', (path) => `${path}/x/..`],
  ['upper case', (path) => path.toUpperCase()],
  ['first letter upper case', (path) => path.replace('/api', '/Api')],
  ['encoded letter', (path) => path.replace('/api', '/%61pi')],
  ['encoded letter, lower-case hex', (path) => path.replace('i/', '%69/')],
  ['double encoded letter', (path) => path.replace('/api', '/%2561pi')],
  ['encoded slash', (path) => path.replace('/api/', '/api%2F')],
  ['encoded slash, lower case', (path) => path.replace('/api/', '/api%2f')],
  ['double encoded slash', (path) => path.replace('/api/', '/api%252F')],
  ['encoded slash at the end', (path) => `${path}%2F`],
  ['backslash', (path) => path.replace('/api/', '/api\\')],
  ['encoded backslash', (path) => path.replace('/api/', '/api%5C')],
  ['matrix parameter', (path) => `${path};x=1`],
  ['matrix parameter inside', (path) => path.replace('/api/', '/api;x=1/')],
  ['session in the path', (path) => `${path};jsessionid=1`],
  ['encoded semicolon', (path) => `${path}%3Bx=1`],
  ['NUL', (path) => `${path}%00`],
  ['line feed', (path) => `${path}%0a`],
  ['carriage return', (path) => `${path}%0d`],
  ['space', (path) => `${path}%20`],
  ['tab', (path) => `${path}%09`],
  ['plus', (path) => `${path}+`],
  ['query', (path) => `${path}?x=1`],
  ['empty query', (path) => `${path}?`],
  ['encoded question mark', (path) => `${path}%3F`],
  ['fragment', (path) => `${path}#`],
  ['encoded fragment', (path) => `${path}%23`],
  ['suffix', (path) => `${path}.json`],
  ['suffix of a page', (path) => `${path}.html`],
  ['overlong encoding of a slash', (path) => path.replace('/api/', '/api%c0%af')],
  ['fullwidth slash', (path) => path.replace('/api/', '/api%EF%BC%8F')],
  ['broken escape', (path) => `${path}%zz`],
  ['cut escape', (path) => `${path}%`],
  ['the stage before it', (path) => `/$default${path}`],
]

const filled = (path: string) => path.replace(/\{\w+\}/g, 'x')

/** One with and one without a parameter, tried by every method; all others by their own. */
const BY_EVERY_METHOD = [ROUTES.adminSecure.path, ROUTES.usersDelete.path].map(filled)

const inEachSpelling = (method: string, path: string) =>
  SPELLINGS.map(([what, spell]) => [method, path, what, spell] as const)

const combinations = BY_EVERY_METHOD.flatMap((path) => METHODS.flatMap((method) => inEachSpelling(method, path)))
const others = PROTECTED.map(({ method, path }) => [method, filled(path)] as const)
  .filter(([, path]) => !BY_EVERY_METHOD.includes(path))
  .flatMap(([method, path]) => inEachSpelling(method, path))

describe(`H01, H02, H03, H04, H05, H07 ${SPELLINGS.length} spellings of every protected path without credentials`, () => {
  it.each(partOf([...combinations, ...others]))(
    '%s %s, %s: as the canonical one, or 400, 404, 405',
    async (method, path, _, spell) => {
      const headers = { 'x-http-method-override': 'GET', 'x-original-url': path, 'x-rewrite-url': path }
      const { status } = await call(spell(path), { method, headers }, { isGatewayAllowed: true })
      expect([400, 401, 404, 405], `${method} ${spell(path)} answered ${status}`).toContain(status)
    },
  )
})

const SAME_PATH = ['query', 'empty query']
const otherSpellings = SPELLINGS.filter(([what]) => !SAME_PATH.includes(what))

describe(`H01, H02, H03, H04, H05, H07 ${otherSpellings.length} spellings of every protected path, with an admin's credentials`, () => {
  it.each(partOf(PROTECTED).map((route) => [`${route.method} ${filled(route.path)}`, route] as const))(
    '%s: 400, 404 or 405, and an error shows the path as it was sent',
    async (_, route) => {
      const path = filled(route.path)
      const { method } = route
      const credentials = await ADMIN_CREDENTIALS[route.credentials ?? 'any']()
      const headers = { 'content-type': 'application/json', ...credentials.headers }
      for (const [what, spell] of otherSpellings) {
        const sent = spell(path)
        const { status, json } = await call(sent, { ...credentials, headers, method }, { isGatewayAllowed: true })
        expect([400, 404, 405], `${what}: ${method} ${sent} answered ${status}`).toContain(status)
        if (status !== 400) expect(json.path, what).toBe(sent)
      }
    },
  )
})

it.each([
  ['an escaped tilde', '/nothing/%7E'],
  ['an escape in lower case', '/nothing/%c3%a4'],
  ['dot segments', '/nothing/../else/./x'],
  ['a backslash', '/nothing\\else'],
])('the path of an error is raw: %s', async (_, path) => {
  expect((await call(`${path}?x=%7E`)).json).toMatchObject({ status: 404, path })
})

it('H31 an absolute request target is read as its path', async () => {
  expect((await call('http://elsewhere.example/nothing/%7E?x')).json).toMatchObject({
    status: 404,
    path: '/nothing/%7E',
  })
})
