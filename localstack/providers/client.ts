import { createHash } from 'node:crypto'
import { DEMO } from '../../lib/runtime/settings/strength.ts'
import { ownUsers } from '../users.ts'
import type { OpenClient } from './clients.ts'
import demo from './identities.json' with { type: 'json' }

/** The input of the thread of the embedded providers. */
export interface Run {
  readonly ports: Readonly<Partial<Record<'google' | 'github' | 'facebook', number>>>
  /** The address to which a login returns. */
  readonly baseUrl: string
  /** The users, as `provider:id`, who become admins. */
  readonly admins?: readonly string[] | undefined
  /** The user's own, of Google alone; undefined to take every name. */
  readonly clients?: readonly OpenClient[] | undefined
  /** The file with Google's keys; without it they are new at each start. */
  readonly keys?: string
}

/** Gatehouse's client at the embedded providers, which answer only on this machine and know only demo users. */
export const CLIENT = { id: 'gatehouse-local', secret: DEMO.clientSecret } as const

/** The client data against which a provider checks a login. */
export interface RegisteredClient {
  readonly id: string
  readonly secret: string
  readonly redirectUri: string
  /** The users, as `provider:id`, who are admins there; as the demo users say if absent. */
  readonly admins?: readonly string[] | undefined
}

export function clientOf(provider: string, { baseUrl, admins }: Pick<Run, 'baseUrl' | 'admins'>): RegisteredClient {
  return { ...CLIENT, redirectUri: new URL(`/login/oauth2/code/${provider}`, baseUrl).href, admins }
}

/** A user of an embedded provider. */
export interface DemoIdentity {
  readonly store: string
  readonly id: string
  readonly role: string
  /** The username at the provider. */
  readonly login: string
  readonly name: string | null
  readonly email: string | null
  readonly isEmailVerified: boolean
  readonly picture: string | null
}

/** The project's users of the providers, else the demo's. An id is made of the username, so that it stays. */
export function identities(): readonly DemoIdentity[] {
  const own = ownUsers()?.map(({ store, username: login, role, name = null, email = null }) => ({
    store,
    id: String(Number.parseInt(createHash('sha256').update(login).digest('hex').slice(0, 8), 16)),
    role: role ?? '',
    ...{ login, name, email, isEmailVerified: email !== null, picture: null },
  }))
  return own ?? demo
}

export function identitiesOf(store: string): readonly DemoIdentity[] {
  return identities().filter((identity) => identity.store === store)
}

/** The username in Gatehouse. */
export function usernameOf({ store, id }: DemoIdentity): string {
  return `${store}:${id}`
}
