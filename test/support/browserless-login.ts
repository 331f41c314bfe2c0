import { randomBytes } from 'node:crypto'
import { vi } from 'vitest'
import { type Answer, call } from './client.ts'
import { type CookieJar, cookieJar } from './cookie-jar.ts'
import { served } from './served.ts'
import { linesWith } from './service-log.ts'

/** A browser without a window: it has cookies, and is told where to go. */
export interface Browser {
  readonly jar: CookieJar
  /** Asks our service for a path. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Begins a login. */
  start(provider: string, query?: string): Promise<Answer>
  /** Logs in on the provider's page, which plays an attack if it is asked to; the address of the callback that the provider sends the browser to. */
  chooseAt(location: string, username: string, attack?: string): Promise<URL>
  /** All of that, up to the address of the callback. */
  callbackOf(provider: string, username: string, query?: string): Promise<URL>
  /** A whole login; the answer of the callback. */
  login(provider: string, username: string, query?: string): Promise<Answer>
  /** What the log says of the next login that this browser was refused, from the first on. */
  nextRefusal(): Promise<Readonly<Record<string, unknown>>>
}

export function openBrowser(): Browser {
  const jar = cookieJar()
  const base = new URL(served('http'))
  // Other tests have logins refused at the same time: the log names the trace of the caller.
  const traceId = randomBytes(16).toString('hex')
  let refusals = 0
  const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`

  async function get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const url = new URL(path, base)
    const cookie = jar.headerFor(url)
    const answer = await call(path, { headers: { traceparent, ...(cookie !== '' && { cookie }), ...headers } })
    jar.keep(url, setCookiesOf(answer))
    return answer
  }

  async function visit(url: URL, body?: URLSearchParams): Promise<Response> {
    const headers = { cookie: jar.headerFor(url), accept: 'text/html' }
    const method = body ? 'POST' : 'GET'
    const response = await fetch(url, { method, headers, redirect: 'manual', ...(body && { body }) })
    jar.keep(url, response.headers.getSetCookie())
    return response
  }

  /** Follows redirects until there is a page, or the way leads back to us. */
  async function follow(url: URL, body?: URLSearchParams): Promise<URL> {
    if (url.origin === base.origin) return url
    const response = await visit(url, body)
    await response.text()
    const location = response.headers.get('location')
    if (location !== null) return follow(new URL(location, url))
    if (response.ok) return url
    throw new Error(`${url.origin}${url.pathname} answered ${response.status}`)
  }

  async function chooseAt(location: string, username: string, attack = ''): Promise<URL> {
    const page = await follow(new URL(location))
    return follow(page, new URLSearchParams({ user: username, attack }))
  }

  const start = (provider: string, query = '') => get(`/oauth2/authorization/${provider}${query}`)

  /** On a busy machine the first answer of a provider comes too late. */
  async function begun(provider: string, query?: string): Promise<Answer | undefined> {
    const answer = await start(provider, query)
    return answer.status === 503 ? undefined : answer
  }

  async function callbackOf(provider: string, username: string, query = ''): Promise<URL> {
    const { status, text, headers } = await vi.waitUntil(() => begun(provider, query), {
      timeout: 20_000,
      interval: 500,
    })
    const { location } = headers
    if (typeof location !== 'string') throw new Error(`the login with ${provider} is not begun: ${status} ${text}`)
    return chooseAt(location, username)
  }

  return {
    jar,
    get,
    start,
    chooseAt,
    callbackOf,
    async login(provider, username, query) {
      const { pathname, search } = await callbackOf(provider, username, query)
      return get(`${pathname}${search}`)
    },
    async nextRefusal() {
      const lines = await linesWith(['"OAuth2 login refused"', traceId], refusals + 1)
      return JSON.parse(lines[refusals++] ?? '')
    },
  }
}

export function setCookiesOf({ headers }: Answer): readonly string[] {
  return [headers['set-cookie'] ?? []].flat()
}

/** A demo user of a login provider with a role. */
export function providerUser(provider: string, role: string): string {
  const user = served('ready').users.find((candidate) => candidate.store === provider && candidate.role === role)
  if (!user) throw new Error(`no user of ${provider} with ${role}`)
  return user.username
}
