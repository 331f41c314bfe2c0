import identities from './identities.json' with { type: 'json' }

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

export const IDENTITIES: readonly DemoIdentity[] = identities

export function identitiesOf(store: string): readonly DemoIdentity[] {
  return IDENTITIES.filter((identity) => identity.store === store)
}

/** The username in Gatehouse. */
export function usernameOf({ store, id }: DemoIdentity): string {
  return `${store}:${id}`
}
