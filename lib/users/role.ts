export type Role = 'ROLE_ADMIN' | 'ROLE_USER'

/** Each role with every role that it satisfies, highest first (auth-8). */
const SATISFIES = {
  ROLE_ADMIN: ['ROLE_ADMIN', 'ROLE_USER'],
  ROLE_USER: ['ROLE_USER'],
} as const satisfies Record<Role, readonly Role[]>

const HIGHEST_FIRST = Object.keys(SATISFIES) as readonly Role[]

export function isRole(value: unknown): value is Role {
  return typeof value === 'string' && Object.hasOwn(SATISFIES, value)
}

/** Whether one of the held roles is the wanted one or stands above it. */
export function satisfies(held: readonly Role[], wanted: Role): boolean {
  return held.some((role) => (SATISFIES[role] as readonly Role[]).includes(wanted))
}

/** The one role that a token carries for a user: the highest of those held. */
export function highestRole(held: readonly Role[]): Role | undefined {
  return HIGHEST_FIRST.find((role) => held.includes(role))
}
