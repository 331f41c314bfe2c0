import { randomUUID } from 'node:crypto'
import { CSRF_COOKIE, SESSION_COOKIE } from '../../../lib/http/cookies.ts'
import { ALWAYS, OVER_HTTPS } from '../../../lib/http/middleware/security-headers.ts'
import { answeredWith, holds, refusedWith, type Seen, type StageCheck, type StageReply } from './stage-connection.ts'

const HELLO = '/api/public/hello'

/** What every caller sees, and what credentials open. */
export const ACCESS_CHECKS = {
  hello: async ({ call }) => {
    const { json } = answeredWith(200, await call(HELLO))
    holds(typeof Object(json).message === 'string', '200, but without a greeting')
    return '200'
  },

  'security headers': async ({ call, url }) => {
    const { headers } = await call(HELLO)
    const wanted = Object.entries(url.protocol === 'https:' ? OVER_HTTPS : ALWAYS)
    const wrong = wanted.filter(([name, value]) => headers.get(name) !== value).map(([name]) => name)
    holds(wrong.length === 0, `missing or different: ${wrong.join(', ')}`)
    return `all ${wanted.length}`
  },

  'wrong method': async ({ call }) => {
    const answer = await call(HELLO, { method: 'DELETE' })
    const seen = refusedWith('METHOD_NOT_SUPPORTED', answer)
    holds(answer.headers.get('allow')?.includes('GET'), `${seen}; Allow does not name GET`)
    return seen
  },

  'unknown path': async ({ call }) => {
    const sent = '/verify/n%C3%B6thing%20here'
    const answer = await call(`${sent}?q=1`)
    const seen = refusedWith('ENDPOINT_NOT_FOUND', answer)
    holds(Object(answer.json).path === sent, `${seen}; it names another path than ${sent}`)
    return seen
  },

  challenge: async ({ call }) => {
    const answer = await call('/api/auth/info')
    return challenged(refusedWith('AUTHENTICATION_REQUIRED', answer), answer)
  },

  'bad token': async ({ call, demandTokens }) => {
    await demandTokens()
    const headers = { authorization: `Bearer verify.${randomUUID()}.none` }
    const answer = await call('/api/auth/info', { headers })
    return challenged(refusedWith('TOKEN_INVALID', answer), answer)
  },

  admin: async ({ call, admin }) => {
    const { json } = answeredWith(200, await call('/api/admin/secure', { headers: await admin() }))
    holds(Object(json).user, '200, but names no user')
    return '200'
  },

  'role refused': async ({ call, demandTokens, plainToken }) => {
    await demandTokens()
    const headers = { authorization: `Bearer ${await plainToken()}` }
    return refusedWith('ROLE_REQUIRED', await call('/api/admin/secure', { headers }))
  },

  'foreign origin': async ({ call }) => {
    const origin = 'https://verify.invalid'
    const preflight = { origin, 'access-control-request-method': 'GET' }
    const plain = await call(HELLO, { headers: { origin } })
    const asked = await call(HELLO, { method: 'OPTIONS', headers: preflight })
    const names = [...plain.headers.keys(), ...asked.headers.keys()]
    const leaked = new Set(names.filter((name) => name.startsWith('access-control-')))
    holds(leaked.size === 0, `it gets ${[...leaked].join(', ')}`)
    return `no header; the preflight is ${asked.status}`
  },

  'OpenAPI document': async ({ call }) => {
    const { openapi } = Object(answeredWith(200, await call('/openapi.json')).json) as { openapi?: unknown }
    holds(/^3\.\d+\.\d+$/.test(String(openapi)), '200, but no OpenAPI document')
    return `OpenAPI ${openapi}`
  },

  'login page': async ({ call }) => {
    holds(htmlOf(answeredWith(200, await call('/login'))).includes('<form'), '200, but without a form')
    return '200'
  },

  console: async ({ call }) => {
    const html = htmlOf(answeredWith(200, await call('/console/webhooks')))
    const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
    holds(assets.length > 0, '200, but it loads nothing')
    const statuses = await Promise.all(assets.map(async (path) => [path, (await call(path)).status] as const))
    const missing = statuses.filter(([, status]) => status !== 200).map(([path, status]) => `${path} is ${status}`)
    holds(missing.length === 0, missing.join(', '))
    return `200, and its ${assets.length} assets`
  },

  /** Begins a session, tries to end it without its token, and ends it. */
  session: async ({ call, login, url }) => {
    const body = new URLSearchParams({ ...(await login()) })
    const set = answeredWith(302, await call('/login', { method: 'POST', body })).headers.getSetCookie()
    const isSecure = url.protocol === 'https:'
    const csrfName = `${isSecure ? '__Host-' : ''}${CSRF_COOKIE}`
    const [own, csrf] = [SESSION_COOKIE, csrfName].map((name) => set.find((line) => line.startsWith(`${name}=`)))
    holds(own, `the login sets no cookie ${SESSION_COOKIE}`)
    const cookie = set.map((line) => line.replace(/;.*/s, '')).join('; ')
    const logout = (token: object) => call('/logout', { method: 'POST', headers: { cookie, ...token } })
    try {
      holds(csrf, `the login sets no cookie ${csrfName}`)
      holds(/; *HttpOnly/i.test(own), `${SESSION_COOKIE} is not HttpOnly`)
      const isSameSite = set.every((line) => /; *SameSite=(?:Lax|Strict)/i.test(line))
      holds(isSameSite, 'a cookie has no SameSite')
      holds(!isSecure || set.every((line) => /; *Secure/i.test(line)), 'a cookie is not Secure')
      refusedWith('CSRF_TOKEN_MISSING', await logout({}))
    } finally {
      await logout({ 'x-xsrf-token': /=([^;]*)/.exec(csrf ?? '')?.[1] ?? '' })
    }
    const { status } = await call('/api/auth/info', { headers: { cookie } })
    holds(status === 401, `the session still opens a page after the logout: ${status}`)
    return `${SESSION_COOKIE} and ${csrfName}${isSecure ? ', Secure' : ''}; 403 without the token; ended by the logout`
  },
} as const satisfies Readonly<Record<string, StageCheck>>

const REMAPPED = 'x-amzn-remapped-www-authenticate'

function challenged(seen: string, { headers }: StageReply): Seen {
  if (headers.has('www-authenticate')) return `${seen}; WWW-Authenticate`
  holds(headers.has(REMAPPED), `${seen}; no WWW-Authenticate`)
  const message = `${seen}; WWW-Authenticate arrives as ${REMAPPED}, the deviation without CloudFront that docs/reference/http.md names`
  return { level: 'warn', message }
}

function htmlOf({ headers, body }: StageReply): string {
  holds(headers.get('content-type')?.startsWith('text/html'), 'no HTML')
  return body.toString()
}
