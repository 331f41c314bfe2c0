import type { OwnCookies } from './cookies.ts'
import type { HttpEvent } from './message.ts'

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
