import { fail, invalid, unavailable } from '../errors.ts'
import type { Ids } from '../runtime/ids.ts'
import { listCursor, member } from '../runtime/list-cursor.ts'
import { boundedPassword, nfc, PASSWORD_BYTES } from '../runtime/text.ts'
import type { Clock } from '../runtime/time.ts'
import { actsOn } from '../trail/act.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'
import { type Credential, EVERYTHING, type Forget, LOGINS, marksEnding } from './credentials.ts'
import { highestRole, type Role } from './role.ts'
import {
  isAccountId,
  isEnabledAdmin,
  type KnownUser,
  storeOf,
  type UserAdministration,
  type UserChanges,
  type UserList,
  type UserReader,
  userKey,
} from './user.ts'

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

/** The caller who asks for a change, and the error for a change that the rules forbid. */
export interface Asker {
  /** The id of the account. */
  readonly uid: string | undefined
  /** Makes the error of the refusal. */
  readonly refuse: () => Error
}

/**
 * Removes a user unless the rules forbid it: users may not remove themselves or the last enabled admin.
 * @throws ServiceError `USER_NOT_FOUND`, `UNAVAILABLE`, or the error that `refuse` makes
 */
export async function removeUser(
  { users, clock, forget }: Omit<ChangeParts, 'hash'>,
  id: string,
  { uid, refuse }: Asker,
): Promise<void> {
  await writeKeepingAdmin(users, id, refuse, async (user, other) => {
    if (id === uid) throw refuse()
    return users.remove(user, isEnabledAdmin(user) ? await other() : undefined)
  })
  // The passkeys went with the user.
  await forget(id, ['key'], clock.now())
}

export interface RequestedChanges {
  readonly role?: Role | undefined
  readonly enabled?: boolean | undefined
  readonly password?: string | undefined
}

export interface ChangeParts {
  readonly users: UserAdministration
  readonly clock: Clock
  readonly hash: (password: string) => Promise<string>
  readonly forget: Forget
}

/**
 * Changes a user and ends their logins before now: with another role also their API keys, with a password all that lets
 * them in. The last enabled admin keeps role and account. Users cannot set their own password here, because it does not
 * ask for the current one.
 * @returns the user as changed
 * @throws ServiceError `VALIDATION_FAILED` for a password that the user may not have, `USER_NOT_FOUND`, `UNAVAILABLE`,
 * or the error that `refuse` makes
 */
export async function changeUser(
  { users, clock, hash, forget }: ChangeParts,
  id: string,
  { role, enabled, password }: RequestedChanges,
  { uid, refuse }: Asker,
): Promise<KnownUser> {
  if (password !== undefined) actsOn({ type: 'user', id }, { password: 'changed' })
  if (password !== undefined && id === uid) throw refuse()
  const changes: UserChanges = {
    ...(role !== undefined && { roles: [role] }),
    ...(enabled !== undefined && { enabled }),
    ...(password !== undefined && { passwordHash: await hashFor(users, id, password, hash) }),
  }
  const endedIn = ({ roles: [held] }: KnownUser): readonly Credential[] => {
    if (password !== undefined) return EVERYTHING
    return role === undefined || role === held ? LOGINS : [...LOGINS, 'key']
  }
  let at = clock.now()
  const read = await writeKeepingAdmin(users, id, refuse, async (user, other) => {
    at = clock.now()
    const losesAdmin = isEnabledAdmin(user) && !isEnabledAdmin({ ...user, ...changes })
    const marks = marksEnding(endedIn(user), at, user)
    return users.update(user, { ...changes, ...marks }, losesAdmin ? await other() : undefined)
  })
  await forget(id, endedIn(read), at)
  return { ...read, ...changes }
}

async function hashFor(
  users: Pick<UserAdministration, 'findById'>,
  id: string,
  password: string,
  hash: ChangeParts['hash'],
): Promise<string> {
  const user = await users.findById(id)
  if (!user) throw fail('USER_NOT_FOUND')
  const problem = passwordProblem(user.username, password)
  if (problem !== undefined) throw invalid([{ path: ['password'], message: problem }])
  return hash(password)
}

const ROUNDS = 5

type Write = (read: KnownUser, other: () => Promise<KnownUser>) => Promise<'written' | 'moved'>

/**
 * Reads a user and writes, and repeats both when another write came first: two admins may remove or demote each other
 * at the same time.
 * @param write gets an enabled admin from `other`, which throws the refusal if there is none
 * @returns the user as read
 */
async function writeKeepingAdmin(
  users: UserAdministration,
  id: string,
  refuse: () => Error,
  write: Write,
): Promise<KnownUser> {
  for (let round = 0; round < ROUNDS; round++) {
    const read = await users.findById(id)
    if (!read) throw fail('USER_NOT_FOUND')
    actsOn({ type: 'user', id, name: read.username })
    const outcome = await write(read, async () => {
      const other = await users.findOtherAdmin(id)
      if (!other) throw refuse()
      return other
    })
    if (outcome === 'written') return read
  }
  throw unavailable(new Error('other changes of users came first in every round'))
}

interface PageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
}

const userCursor = listCursor('users', { key: member.name })

/** One page, by name. @throws ServiceError `VALIDATION_FAILED` for a cursor that is none, `UNAVAILABLE` */
export async function listUsers(users: Pick<UserList, 'page'>, { limit, cursor }: PageRequest) {
  const page = await users.page(limit, userCursor.read({}, cursor)?.key)
  return {
    users: page.users.map(shownUser),
    nextCursor: page.next === undefined ? null : userCursor.of({}, { key: page.next }),
  }
}

/** @throws ServiceError `USER_NOT_FOUND`, `UNAVAILABLE` */
export async function findUser(users: Pick<UserReader, 'findById'>, id: string) {
  const user = await users.findById(id)
  if (!user) throw fail('USER_NOT_FOUND')
  return shownUser(user)
}

/** A user as admins see it: absent values are null, nothing of the password. */
export function shownUser({ id, username, roles, enabled, createdAt, lastLoginAt }: KnownUser) {
  return {
    id,
    username,
    role: highestRole(roles) ?? null,
    enabled,
    createdAt: createdAt.toISOString(),
    lastLoginAt: lastLoginAt?.toISOString() ?? null,
  }
}

/**
 * The id of an account of any store. A user of the database must exist; the id of another account must only have the
 * right form.
 * @throws ServiceError `USER_NOT_FOUND`, `UNAVAILABLE`
 */
export async function knownAccount(users: Pick<UserReader, 'findById'>, id: string): Promise<string> {
  if (!isAccountId(id)) throw fail('USER_NOT_FOUND')
  const user = storeOf(id) === 'database' ? await users.findById(id) : undefined
  if (storeOf(id) === 'database' && !user) throw fail('USER_NOT_FOUND')
  actsOn({ type: 'user', id, name: user?.username })
  return id
}
