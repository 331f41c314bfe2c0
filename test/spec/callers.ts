import { demoUser, tokenOf } from '../support/accounts.ts'
import { CookieClient } from '../support/browser-client.ts'
import { openBrowser, providerUser } from '../support/browserless-login.ts'
import { type Answer, basic, bearer, type Call, call } from '../support/client.ts'
import { ABILITIES, type Kind, type Profile, type Store } from './profiles.ts'

export type Role = 'ROLE_ADMIN' | 'ROLE_USER'

/** Somebody with credentials of one kind. */
export interface Caller {
  readonly kind: Kind
  readonly username: string
  readonly roles: readonly Role[]
  readonly call: Send
}

type Send = (path: string, request?: Call) => Promise<Answer>

/** Somebody of the role for each kind of credentials that counts in the profile. */
export function callersOf(profile: Profile, role: Role): Promise<readonly Caller[]> {
  const { kinds, stores } = ABILITIES[profile]
  return Promise.all(kinds.map((kind) => callerOf(kind, usernameOf(kind, stores[0], role), [role])))
}

/** Somebody without any role: the directory knows one. */
export function guestsOf(profile: Profile): Promise<readonly Caller[]> {
  const { kinds } = ABILITIES[profile]
  if (!kinds.includes('Basic, directory')) return Promise.resolve([])
  return Promise.all((['Basic, directory', 'form session'] as const).map((kind) => callerOf(kind, 'ldapguest', [])))
}

async function callerOf(kind: Kind, username: string, roles: readonly Role[]): Promise<Caller> {
  return { kind, username, roles, call: await WAYS[kind](username) }
}

function usernameOf(kind: Kind, store: Store, role: Role): string {
  if (kind === 'OAuth2 session') return providerUser('google', role)
  const stores = { 'Basic, database': 'jdbc', 'Basic, directory': 'ldap', JWT: store, 'form session': store }
  return `${stores[kind]}${role === 'ROLE_ADMIN' ? 'admin' : 'user'}`
}

const withPassword = async (username: string) => sendWith(basic(username, demoUser(username).password))

const WAYS: Readonly<Record<Kind, (username: string) => Promise<Send>>> = {
  JWT: async (username) => sendWith(bearer(await tokenOf(username))),
  'Basic, database': withPassword,
  'Basic, directory': withPassword,
  'OAuth2 session': async (username) => {
    const browser = openBrowser()
    await browser.login('google', username)
    const client = new CookieClient()
    for (const { path, name, value } of browser.jar.all()) if (path === '/') client.cookies.set(name, value)
    return sendAs(client)
  },
  'form session': async (username) => sendAs(await loggedIn(username)),
}

/** A client with a session by the login form. */
export async function loggedIn(username: string): Promise<CookieClient> {
  const client = new CookieClient()
  await client.login(username, demoUser(username).password)
  return client
}

function sendWith(credentials: Call): Send {
  return (path, request = {}) => call(path, { ...request, headers: { ...credentials.headers, ...request.headers } })
}

function sendAs(client: CookieClient): Send {
  return (path, request = {}) => client.call(path, { ...request, headers: { ...client.csrf(), ...request.headers } })
}
