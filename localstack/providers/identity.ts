import identities from './identities.json' with { type: 'json' }

/** Somebody whom an embedded provider knows. */
export interface DemoIdentity {
  readonly store: string
  readonly id: string
  readonly role: string
  /** The name at the provider. */
  readonly login: string
  readonly name: string | null
  readonly email: string | null
  readonly isEmailVerified: boolean
  readonly picture: string | null
}

export const IDENTITIES: readonly DemoIdentity[] = identities

export function identitiesOf(store: string): readonly DemoIdentity[] {
  return IDENTITIES.filter((identity) => identity.store === store)
}

/** The name that Gatehouse knows them by. */
export function usernameOf({ store, id }: DemoIdentity): string {
  return `${store}:${id}`
}
