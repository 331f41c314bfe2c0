import { fail, invalid } from '../errors.ts'
import type { Ids } from '../runtime/ids.ts'
import { boundedPassword, nfc, PASSWORD_BYTES } from '../runtime/text.ts'
import type { Clock } from '../runtime/time.ts'
import { actsOn } from '../trail/act.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'
import type { Role } from './role.ts'
import { type UserAdministration, userKey } from './user.ts'

export interface NewUser {
  readonly username: string
  readonly password: string
  readonly role: Role
}

export interface Created {
  readonly id: string
  readonly username: string
  readonly role: Role
}

/** Maximum length of a list. */
export const MAXIMUM_LISTED = 1000

/** Another store of users; no user of the database may have one of its names. Throws ServiceError `UNAVAILABLE`. */
export interface OtherNames {
  find(username: string): Promise<object | undefined>
}

/** @throws ServiceError `VALIDATION_FAILED` for a password that a user may not have, `USER_EXISTS`, `UNAVAILABLE` */
export async function createUser(
  users: UserAdministration,
  { ids, clock }: { readonly ids: Ids; readonly clock: Clock },
  hash: (password: string) => Promise<string>,
  { username, password, role }: NewUser,
  others?: OtherNames,
): Promise<Created> {
  actsOn({ type: 'user', name: username })
  const problem = passwordProblem(username, password)
  if (problem !== undefined) throw invalid([{ path: ['password'], message: problem }])
  if ((await others?.find(username)) !== undefined) throw fail('USER_EXISTS')
  const user = {
    id: ids.unique(),
    username,
    passwordHash: await hash(password),
    roles: [role],
    enabled: true,
    createdAt: clock.now(),
  }
  actsOn({ type: 'user', id: user.id, name: username })
  if ((await users.add(user)) === 'taken') throw fail('USER_EXISTS')
  return { id: user.id, username, role }
}

export interface ListedUser {
  readonly username: string
  readonly roles: readonly Role[]
  readonly enabled: boolean
}

/** The users that a caller may see: an admin sees all, other users only themselves; never a secret. */
export function visibleTo(
  viewer: { readonly username: string; readonly isAdmin: boolean },
  users: readonly ListedUser[],
): readonly ListedUser[] {
  return users
    .filter(({ username }) => viewer.isAdmin || userKey(username) === userKey(viewer.username))
    .map(({ username, roles, enabled }) => ({ username, roles, enabled }))
}

const MINIMUM_CHARACTERS = 8

/** Made when the first password is chosen. */
let common: ReadonlySet<string> | undefined

/**
 * Why a user may not have a password, without the password; undefined when they may. Its characters are code points of its
 * NFC form, which is what is hashed.
 */
export function passwordProblem(username: string, password: string): string | undefined {
  const given = boundedPassword(password)
  if (given === undefined) return `must have at most ${PASSWORD_BYTES} bytes`
  const text = nfc(given)
  if ([...text].length < MINIMUM_CHARACTERS) return `must have at least ${MINIMUM_CHARACTERS} characters`
  common ??= new Set(COMMON_PASSWORDS.trim().split(/\s+/))
  const caseless = text.toLowerCase()
  if (common.has(caseless)) return 'must not be one of the 10,000 commonest passwords'
  return caseless === userKey(username) ? 'must not be the user name' : undefined
}
