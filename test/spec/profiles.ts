export const PROFILES = ['default', 'jwt', 'jdbc', 'ldap', 'oauth2'] as const
export type Profile = (typeof PROFILES)[number]

export type Kind = 'JWT' | 'Basic, database' | 'Basic, directory' | 'OAuth2 session' | 'form session'

export interface Abilities {
  /** The kinds of credentials that count where any method does. */
  readonly kinds: readonly Kind[]
  /** The stores in which both logins look up names. */
  readonly stores: readonly [Store, ...Store[]]
  /** The endpoints that are there besides those of every profile. */
  readonly own: readonly Own[]
}

export type Store = 'jdbc' | 'ldap'
export type Own = '/api/jdbc/users' | '/api/ldap/users' | '/api/oauth2/profile'

/** The credentials of each profile (http-3). */
export const ABILITIES: Readonly<Record<Profile, Abilities>> = {
  default: {
    kinds: ['JWT', 'Basic, database', 'Basic, directory', 'OAuth2 session', 'form session'],
    stores: ['jdbc', 'ldap'],
    own: ['/api/jdbc/users', '/api/ldap/users', '/api/oauth2/profile'],
  },
  jwt: { kinds: ['JWT', 'form session'], stores: ['jdbc'], own: [] },
  jdbc: { kinds: ['Basic, database', 'form session'], stores: ['jdbc'], own: ['/api/jdbc/users'] },
  ldap: { kinds: ['Basic, directory', 'form session'], stores: ['ldap'], own: ['/api/ldap/users'] },
  oauth2: { kinds: ['OAuth2 session', 'form session'], stores: ['jdbc'], own: ['/api/oauth2/profile'] },
}
