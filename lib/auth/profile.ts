interface Accepts {
  readonly bearer: boolean
  /** The stores of passwords, in the order in which a name is looked up. */
  readonly stores: readonly ('database' | 'directory')[]
  /** Whether `Authorization: Basic` is taken; a login form takes passwords in every profile. */
  readonly basic: boolean
  /** The identity providers that a login is offered with. */
  readonly providers: readonly ('google' | 'github' | 'facebook')[]
}

const ALL_PROVIDERS = ['google', 'github', 'facebook'] as const

/** Spec 1.3: what each profile accepts. The session of a login is taken in every profile. */
export const PROFILES = {
  default: { bearer: true, basic: true, stores: ['database', 'directory'], providers: ALL_PROVIDERS },
  jwt: { bearer: true, basic: false, stores: ['database'], providers: [] },
  jdbc: { bearer: false, basic: true, stores: ['database'], providers: [] },
  ldap: { bearer: false, basic: true, stores: ['directory'], providers: [] },
  oauth2: { bearer: false, basic: false, stores: ['database'], providers: ALL_PROVIDERS },
} as const satisfies Record<string, Accepts>

export type Profile = keyof typeof PROFILES
