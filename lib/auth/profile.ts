import type { Route } from '../contract/route.ts'

interface Accepts {
  readonly bearer: boolean
  /** The stores of passwords, in the order in which a name is looked up. */
  readonly stores: readonly ('database' | 'directory')[]
  /** Whether `Authorization: Basic` is taken; a login form takes passwords in every profile. */
  readonly basic: boolean
}

/** The accepted credentials of each profile (http-3). Every profile accepts sessions. */
export const PROFILES = {
  default: { bearer: true, basic: true, stores: ['database', 'directory'] },
  jwt: { bearer: true, basic: false, stores: ['database'] },
  jdbc: { bearer: false, basic: true, stores: ['database'] },
  ldap: { bearer: false, basic: true, stores: ['directory'] },
  oauth2: { bearer: false, basic: false, stores: ['database'] },
} as const satisfies Record<string, Accepts>

export type Profile = keyof typeof PROFILES

/** The endpoints of another profile do not exist, and `default` has all of them (http-4). */
export function isInProfile({ profile: only }: Pick<Route, 'profile'>, profile: string): boolean {
  return profile === 'default' || only === undefined || only === profile
}
