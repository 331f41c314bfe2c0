import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie'
import type { HttpEvent } from './message.ts'

/** The session, and the token that proves a form or a script of ours; names as servlet containers and Spring use them. */
export const SESSION_COOKIE = 'JSESSIONID'
export const CSRF_COOKIE = 'XSRF-TOKEN'

/**
 * The cookies of a request by name. One that is sent twice does not count: the second may have been planted by another
 * site of the domain, and nothing tells which is which.
 */
export function cookiesOf({ cookies, headers }: HttpEvent): ReadonlyMap<string, string> {
  const pairs = (cookies?.length ? cookies : [headers['cookie'] ?? '']).flatMap((line) => line.split(';'))
  const given = pairs.flatMap((pair) => Object.entries(parseCookie(pair)))
  const byName = Map.groupBy(given, ([name]) => name)
  return new Map([...byName].flatMap(([name, same]) => (same.length === 1 ? [[name, same[0]?.[1] ?? '']] : [])))
}

/** A browser takes such a name only of the very host, over https and for all paths: no other site of the domain sets one. */
const HOST_PREFIX = '__Host-'

export interface CookieOptions {
  /** Readable by scripts of the page. */
  readonly isReadable?: boolean
  /** Seconds; without it the cookie goes with the browser. */
  readonly maxAge?: number
}

/** The cookies of the site, by names without a prefix. */
export interface OwnCookies {
  /** Those of a request that only this site can have set, as far as the browser lets us tell. */
  read(event: HttpEvent): ReadonlyMap<string, string>
  /** The text of a `Set-Cookie` header. */
  set(name: string, value: string, options?: CookieOptions): string
  clear(name: string): string
}

/**
 * Cookies that stay on this site: SameSite=Lax, because a login comes back from the identity provider. Over https those
 * that are ours to name have the prefix `__Host-` (RFC 6265bis section 4.1.3.2).
 */
export function ownCookies({ protocol }: URL): OwnCookies {
  const secure = protocol === 'https:'
  const prefix = secure ? HOST_PREFIX : ''
  const sentName = (name: string) => (name === SESSION_COOKIE ? name : `${prefix}${name}`)
  const write = ({ name, ...cookie }: SetCookie) =>
    stringifySetCookie({ name: sentName(name), sameSite: 'lax', path: '/', secure, ...cookie })
  return {
    read: (event) => withoutPrefix(cookiesOf(event), prefix),
    set: (name, value, { isReadable = false, maxAge } = {}) =>
      write({ name, value, httpOnly: !isReadable, ...(maxAge !== undefined && { maxAge }) }),
    clear: (name) => write({ name, value: '', httpOnly: true, maxAge: 0, expires: new Date(0) }),
  }
}

function withoutPrefix(cookies: ReadonlyMap<string, string>, prefix: string): ReadonlyMap<string, string> {
  const ours = [...cookies].filter(([name]) => name.startsWith(prefix))
  return new Map(ours.map(([name, value]) => [name.slice(prefix.length), value]))
}
