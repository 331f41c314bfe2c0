import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { PROFILES, type Profile } from '../../lib/auth/profile.ts'
import { ROUTES } from '../../lib/contract/gen/endpoints.ts'
import { memoizeAsync } from '../../lib/runtime/cache.ts'
import { demoAdmin, demoUser } from '../demo-users.ts'
import { StartError } from '../errors.ts'
import { expectedBody, jsonIfAny, refused } from './refusal.ts'

/** A name and the password to it. */
export interface Login {
  readonly username: string
  readonly password: string
}

/** Who orders something of a service: a token, a user, or whichever demo admin its profile has. */
export type Operator = { readonly token: string } | Login | 'demo admin'

export const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/**
 * The operator that the environment names: GATEHOUSE_TOKEN, or GATEHOUSE_PASSWORD with a name; otherwise a demo user, by
 * default an admin. Demo users exist only on a local run, so their passwords go nowhere else.
 * @throws StartError if there is none
 */
export function operatorOf(address: URL, user: string | undefined, given: NodeJS.ProcessEnv): Operator {
  if (given['GATEHOUSE_TOKEN']) return { token: given['GATEHOUSE_TOKEN'] }
  if (user !== undefined) return loginOf(address, user, given)
  if (LOOPBACK.includes(address.hostname)) return 'demo admin'
  throw nobody()
}

/** The named user with GATEHOUSE_PASSWORD, or a demo user of a local run. @throws StartError if there is no password */
export function loginOf({ hostname }: URL, user: string, given: NodeJS.ProcessEnv): Login {
  const password = given['GATEHOUSE_PASSWORD']
  if (password) return { username: user, password }
  const demo = demoUser(user)
  if (LOOPBACK.includes(hostname) && demo) return demo
  throw nobody()
}

function nobody(): StartError {
  return new StartError('Who asks? Set GATEHOUSE_PASSWORD and name the user that it is of, or set GATEHOUSE_TOKEN.')
}

type Fields = Readonly<Record<string, string>>

/** How an operator says who they are. The functions throw StartError when the service does not believe it. */
export interface OperatorCredentials {
  /** Headers of HTTP: what the profile of the service takes, a token, else Basic, else the session of a login. */
  http(): Promise<Fields>
  /** Metadata of gRPC, which takes a token in every profile. */
  grpc(): Promise<Fields>
  /** After a refusal: forgets tokens and sessions. @returns whether HTTP has others the next time */
  renew(): boolean
}

export function operatorCredentials(operator: Operator, ask: Ask): OperatorCredentials {
  if (operator !== 'demo admin' && 'token' in operator) {
    const fields = async () => bearer(operator.token)
    return { http: fields, grpc: fields, renew: () => false }
  }
  const profile = memoizeAsync(() => profileAt(ask))
  const login = async () => (operator === 'demo admin' ? demoAdmin(await profile()) : operator)
  const freshToken = async () => bearer(await tokenOf(await login(), ask))
  const freshFields = async () => fieldsFor(await profile(), await login())
  let token = memoizeAsync(freshToken)
  let fields = memoizeAsync(freshFields)
  let isRenewable = true

  async function fieldsFor(name: Profile, given: Login): Promise<Fields> {
    if (PROFILES[name].bearer) return token()
    isRenewable = !PROFILES[name].basic
    return isRenewable ? sessionOf(given, ask) : basic(given)
  }

  return {
    http: () => fields(),
    grpc: () => token(),
    renew() {
      token = memoizeAsync(freshToken)
      fields = memoizeAsync(freshFields)
      return isRenewable
    },
  }
}

const loginResult = z.object({ token: z.string() })

/** Logs in and returns a new token. @throws StartError */
export async function tokenOf(login: Login, ask: Ask): Promise<string> {
  return (await expectedBody(await ask('/api/auth/login', formOf(login)), loginResult)).token
}

/** The cookies of a new session, and the token that a call which changes something has to bring. */
async function sessionOf(login: Login, ask: Ask): Promise<Fields> {
  const response = await ask('/login', formOf(login))
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.replace(/;.*/s, ''))
  const [, token] = /(?:^|; )(?:__Host-)?XSRF-TOKEN=([^;]+)/.exec(cookies.join('; ')) ?? []
  if (response.status !== 302 || token === undefined) throw refused(response.status, await jsonIfAny(response))
  return { cookie: cookies.join('; '), 'x-xsrf-token': token }
}

function formOf({ username, password }: Login): RequestInit {
  return { method: 'POST', body: new URLSearchParams({ username, password }) }
}

function bearer(token: string): Fields {
  return { authorization: `Bearer ${token}` }
}

function basic({ username, password }: Login): Fields {
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

/** Sends one request to the service, by its path; follows no redirect. Throws when nothing answers. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** An endpoint that only one profile has, except the default profile, which has them all. */
const OWN = {
  jdbc: ROUTES.jdbcUsers.path,
  ldap: ROUTES.ldapUsers.path,
  oauth2: ROUTES.oauth2Profile.path,
} as const satisfies Partial<Record<Profile, string>>

const NAMES = Object.keys(OWN) as (keyof typeof OWN)[]

/**
 * The profile of a service, by the endpoints that are there: 401 without credentials, 404 where there is none.
 * @throws StartError for another answer
 */
export async function profileAt(ask: Ask): Promise<Profile> {
  const present = await Promise.all(NAMES.map((name) => isThere(OWN[name], ask)))
  const [name, ...others] = NAMES.filter((_, index) => present[index])
  if (name === undefined) return 'jwt'
  return others.length === 0 ? name : 'default'
}

async function isThere(path: string, ask: Ask): Promise<boolean> {
  const { status, body } = await ask(path)
  await body?.cancel()
  if (status === 401 || status === 404) return status === 401
  throw new StartError(`The service answers ${status} to ${path}: it is no Gatehouse, or another version of it.`)
}
