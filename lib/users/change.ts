import { fail, invalid, unavailable } from '../errors.ts'
import type { Clock } from '../runtime/time.ts'
import { actsOn } from '../trail/act.ts'
import { passwordProblem } from './manage.ts'
import type { Role } from './role.ts'
import { isEnabledAdmin, type User, type UserAdministration, type UserChanges } from './user.ts'

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
export async function removeUser(users: UserAdministration, id: string, { uid, refuse }: Asker): Promise<void> {
  await writeKeepingAdmin(users, id, refuse, async (user, other) => {
    if (id === uid) throw refuse()
    return users.remove(user, isEnabledAdmin(user) ? await other() : undefined)
  })
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
}

/**
 * Changes a user and ends their logins before now. The last enabled admin keeps role and account. Users cannot set
 * their own password here, because it does not ask for the current one.
 * @returns the user as changed
 * @throws ServiceError `VALIDATION_FAILED` for a password that the user may not have, `USER_NOT_FOUND`, `UNAVAILABLE`,
 * or the error that `refuse` makes
 */
export async function changeUser(
  { users, clock, hash }: ChangeParts,
  id: string,
  { role, enabled, password }: RequestedChanges,
  { uid, refuse }: Asker,
): Promise<User> {
  if (password !== undefined) actsOn({ type: 'user', id }, { password: 'changed' })
  if (password !== undefined && id === uid) throw refuse()
  const changes: UserChanges = {
    ...(role !== undefined && { roles: [role] }),
    ...(enabled !== undefined && { enabled }),
    ...(password !== undefined && { passwordHash: await hashFor(users, id, password, hash) }),
  }
  const read = await writeKeepingAdmin(users, id, refuse, async (user, other) => {
    const losesAdmin = isEnabledAdmin(user) && !isEnabledAdmin({ ...user, ...changes })
    return users.update(user, changes, clock.now(), losesAdmin ? await other() : undefined)
  })
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

type Write = (read: User, other: () => Promise<User>) => Promise<'written' | 'moved'>

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
): Promise<User> {
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
