import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { PROFILES, type Profile } from '../../lib/auth/profile.ts'
import { memoizeAsync } from '../../lib/runtime/cache.ts'
import { demoAdmin } from '../demo-users.ts'
import type { Login, Operator } from './operator.ts'
import { expectedBody, jsonIfAny, refused } from './refusal.ts'
import { type Ask, profileAt } from './service-profile.ts'

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
