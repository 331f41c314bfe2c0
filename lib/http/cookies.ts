import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie'
import { type HttpEvent, queryOf, type Reply, redirect } from './message.ts'
import type { EndpointContext } from './middleware/call.ts'

/**
 * The session, and the token that proves a form or a script of this site. Servlet containers and Spring use these
 * names.
 */
export const SESSION_COOKIE = 'JSESSIONID'
export const CSRF_COOKIE = 'XSRF-TOKEN'

/**
 * The cookies of a request by name. A name that is sent twice is ignored: another site of the domain may have planted
 * one of the two, and nothing shows which.
 */
export function cookiesOf({ cookies, headers }: HttpEvent): ReadonlyMap<string, string> {
  const pairs = (cookies?.length ? cookies : [headers['cookie'] ?? '']).flatMap((line) => line.split(';'))
  const given = pairs.flatMap((pair) => Object.entries(parseCookie(pair)))
  const byName = Map.groupBy(given, ([name]) => name)
  return new Map([...byName].flatMap(([name, same]) => (same.length === 1 ? [[name, same[0]?.[1] ?? '']] : [])))
}

/**
 * A browser accepts this prefix only from this very host, over https and for all paths: no other site of the domain.
 */
const HOST_PREFIX = '__Host-'

export interface CookieOptions {
  /** Readable by scripts of the page. */
  readonly isReadable?: boolean
  /** In seconds; without it the cookie ends with the browser. */
  readonly maxAge?: number
  /** The path of the pages that get it; all by default. Over https a browser accepts no other value. */
  readonly path?: string
}

/** The cookies of the site, by names without a prefix. */
export interface OwnCookies {
  /** The cookies of a request that only this site can have set, as far as the browser guarantees that. */
  read(event: HttpEvent): ReadonlyMap<string, string>
  /** The text of a `Set-Cookie` header. */
  set(name: string, value: string, options?: CookieOptions): string
  clear(name: string): string
}

/**
 * Cookies with SameSite=Lax, because a login returns from the identity provider. Over https, those whose names we
 * choose have the prefix `__Host-` (RFC 6265bis section 4.1.3.2).
 */
export function ownCookies({ protocol }: URL): OwnCookies {
  const secure = protocol === 'https:'
  const prefix = secure ? HOST_PREFIX : ''
  const sentName = (name: string) => (name === SESSION_COOKIE ? name : `${prefix}${name}`)
  const write = ({ name, ...cookie }: SetCookie) =>
    stringifySetCookie({ name: sentName(name), sameSite: 'lax', path: '/', secure, ...cookie })
  return {
    read: (event) => withoutPrefix(cookiesOf(event), prefix),
    set: (name, value, { isReadable = false, ...options } = {}) =>
      write({ name, value, httpOnly: !isReadable, ...options }),
    clear: (name) => write({ name, value: '', httpOnly: true, maxAge: 0, expires: new Date(0) }),
  }
}

function withoutPrefix(cookies: ReadonlyMap<string, string>, prefix: string): ReadonlyMap<string, string> {
  const ours = [...cookies].filter(([name]) => name.startsWith(prefix))
  return new Map(ours.map(([name, value]) => [name.slice(prefix.length), value]))
}

const NAME = 'login_name'
const MAXIMUM_LENGTH = 100
const LIFETIME_SECONDS = 60

/** Keeps the user name of a refused form for the login page that follows: in no address, and so in no log. */
export function keptLoginName({ set }: OwnCookies, username: string): readonly string[] {
  return username === '' || username.length > MAXIMUM_LENGTH ? [] : [set(NAME, username, { maxAge: LIFETIME_SECONDS })]
}

/** The user name that was kept, and the cookie that ends it. */
export function takeLoginName({ read, clear }: OwnCookies, event: HttpEvent) {
  const name = read(event).get(NAME)
  return { name, cookies: name === undefined ? [] : [clear(NAME)] }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Cookies belong to one host name: a local page under another loopback name redirects to that of the base URL. */
export async function onOwnHost(
  event: HttpEvent,
  { baseUrl }: EndpointContext,
  answer: () => Promise<Reply>,
): Promise<Reply> {
  const host = event.headers['host'] ?? baseUrl.host
  const [name = ''] = /^(\[[^\]]*\]|[^:]*)/.exec(host) ?? []
  const isElsewhere = name !== baseUrl.hostname && LOOPBACK.includes(name) && LOOPBACK.includes(baseUrl.hostname)
  return isElsewhere ? redirect(`${baseUrl.origin}${event.rawPath}${queryOf(event)}`) : answer()
}
