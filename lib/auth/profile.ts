/** Spec 1.3: each profile with the kinds of credentials that it accepts. */
const ACCEPTED = {
  default: ['bearer'],
  jwt: ['bearer'],
  jdbc: [],
  ldap: [],
  oauth2: [],
} as const satisfies Record<string, readonly string[]>

export type Profile = keyof typeof ACCEPTED

export function acceptsBearer(profile: Profile): boolean {
  return (ACCEPTED[profile] as readonly string[]).includes('bearer')
}
