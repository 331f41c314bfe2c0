import { CSRF_COOKIE, SESSION_COOKIE } from '../../lib/http/cookies.ts'
import { type Check, holds } from './check.ts'
import { answeredWith, refusedWith, type StageReply } from './reply.ts'

export const tryOpenApi: Check = async ({ call }) => {
  const { json } = answeredWith(200, await call('/openapi.json'))
  const { openapi, info } = Object(json) as { openapi?: unknown; info?: { version?: unknown } }
  const isDescription = /^3\.\d+\.\d+$/.test(String(openapi)) && typeof info?.version === 'string'
  holds(isDescription, '200, but no OpenAPI document')
  return `OpenAPI ${openapi}`
}

export const tryLoginPage: Check = async ({ call }) => {
  const answer = answeredWith(200, await call('/login'))
  holds(htmlOf(answer).includes('<form'), '200, but without a form')
  return '200'
}

export const tryConsolePage: Check = async ({ call }) => {
  const html = htmlOf(answeredWith(200, await call('/console/webhooks')))
  const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  holds(assets.length > 0, '200, but it loads nothing')
  const statuses = await Promise.all(assets.map(async (path) => [path, (await call(path)).status] as const))
  const missing = statuses.filter(([, status]) => status !== 200).map(([path, status]) => `${path} is ${status}`)
  holds(missing.length === 0, missing.join(', '))
  return `200, and its ${assets.length} assets`
}

function htmlOf({ headers, body }: StageReply): string {
  holds(headers.get('content-type')?.startsWith('text/html'), 'no HTML')
  return body.toString()
}

/** Begins a session, tries to end it without its token, and ends it. */
export const trySession: Check = async ({ call, login, url }) => {
  const body = new URLSearchParams({ ...(await login()) })
  const set = answeredWith(302, await call('/login', { method: 'POST', body })).headers.getSetCookie()
  const isSecure = url.protocol === 'https:'
  const csrfName = `${isSecure ? '__Host-' : ''}${CSRF_COOKIE}`
  const [own, csrf] = [SESSION_COOKIE, csrfName].map((name) => set.find((line) => line.startsWith(`${name}=`)) ?? '')
  holds(own, `the login sets no cookie ${SESSION_COOKIE}`)
  const cookie = set.map((line) => line.replace(/;.*/s, '')).join('; ')
  const token = /=([^;]*)/.exec(csrf ?? '')?.[1] ?? ''
  const logout = (headers: Readonly<Record<string, string>>) =>
    call('/logout', { method: 'POST', headers: { cookie, ...headers } })
  try {
    holds(csrf, `the login sets no cookie ${csrfName}`)
    holds(/; *HttpOnly/i.test(own), `${SESSION_COOKIE} is not HttpOnly`)
    holds(
      set.every((line) => /; *SameSite=(?:Lax|Strict)/i.test(line)),
      'a cookie has no SameSite',
    )
    holds(!isSecure || set.every((line) => /; *Secure/i.test(line)), 'a cookie is not Secure')
    refusedWith('CSRF_REFUSED', await logout({}))
  } finally {
    await logout({ 'x-xsrf-token': token })
  }
  const { status } = await call('/api/auth/info', { headers: { cookie } })
  holds(status === 401, `the session still opens a page after the logout: ${status}`)
  return `${SESSION_COOKIE} and ${csrfName}${isSecure ? ', Secure' : ''}; 403 without the token; ended by the logout`
}
