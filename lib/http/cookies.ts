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

export interface CookieOptions {
  /** Readable by scripts of the page. */
  readonly isReadable?: boolean
  readonly path?: string
  /** Seconds; without it the cookie goes with the browser. */
  readonly maxAge?: number
}

export interface CookieWriter {
  /** The text of a `Set-Cookie` header. */
  set(name: string, value: string, options?: CookieOptions): string
  clear(name: string, path?: string): string
}

/** Writes cookies that stay on this site: SameSite=Lax, because a login comes back from the identity provider. */
export function cookieWriter({ protocol }: URL): CookieWriter {
  const secure = protocol === 'https:'
  const write = (cookie: SetCookie) => stringifySetCookie({ sameSite: 'lax', secure, ...cookie })
  return {
    set: (name, value, { isReadable = false, path = '/', maxAge } = {}) =>
      write({ name, value, path, httpOnly: !isReadable, ...(maxAge !== undefined && { maxAge }) }),
    clear: (name, path = '/') => write({ name, value: '', path, httpOnly: true, maxAge: 0, expires: new Date(0) }),
  }
}
