import { signal } from '@preact/signals'
import { basicCredentials, type Call } from '../call.ts'
import { facts } from '../facts.ts'

export type IdentityKind = 'none' | 'session' | 'bearer' | 'basic' | 'key'

/** Who calls. What is typed stays in the memory of the page. */
export interface Identity {
  readonly kind: IdentityKind
  readonly token: string
  readonly username: string
  readonly password: string
  readonly key: string
}

/** The caller of every operation of the page. */
export const identity = signal<Identity>({
  kind: facts.user ? 'session' : 'none',
  token: '',
  username: '',
  password: '',
  key: '',
})

/** The credentials of a call; a session proves a change with its CSRF token. */
export function identityHeaders(
  { kind, token, username, password, key }: Identity,
  method: string,
  csrfToken: string,
): Pick<Call, 'headers' | 'withSession'> {
  const own: Readonly<Record<Exclude<IdentityKind, 'session'>, Readonly<Record<string, string>>>> = {
    none: {},
    bearer: { authorization: `Bearer ${bareToken(token)}` },
    basic: { authorization: basicCredentials(username, password) },
    key: { 'x-api-key': key.trim() },
  }
  if (kind !== 'session') return { headers: own[kind], withSession: false }
  return { headers: method === 'GET' ? {} : { 'x-xsrf-token': csrfToken }, withSession: true }
}

/** A token as one pastes it: with its scheme, or broken into lines. */
function bareToken(text: string): string {
  return text.replace(/^\s*bearer\s/i, '').replaceAll(/\s/g, '')
}
