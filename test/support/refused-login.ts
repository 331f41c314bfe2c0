import { inflateRawSync } from 'node:zlib'
import { REFUSED_LOGIN, type RefusedLogin } from '../../lib/contract/login-steps.ts'

/** The refused login in the value of its cookie. */
export function unpackedLogin(value = ''): RefusedLogin {
  return JSON.parse(inflateRawSync(Buffer.from(value, 'base64url')).toString())
}

/** The refused login in the `Set-Cookie` headers of an answer; undefined if there is none. */
export function refusedLoginIn(cookies: readonly string[]): RefusedLogin | undefined {
  const start = `${REFUSED_LOGIN.cookie}=`
  const cookie = cookies.find((line) => line.startsWith(start))
  return cookie === undefined ? undefined : unpackedLogin(cookie.slice(start.length).split(';')[0])
}
