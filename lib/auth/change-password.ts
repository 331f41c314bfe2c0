import { fail, invalid, unavailable } from '../errors.ts'
import { boundedPassword, nfc } from '../runtime/text.ts'
import type { Clock } from '../runtime/time.ts'
import { EVERYTHING, type Forget, LOGINS, marksEnding } from '../users/credentials.ts'
import { passwordProblem } from '../users/manage.ts'
import { storeOf, type UserReader, type UserStore } from '../users/user.ts'
import type { CountedCheck } from './sign-in.ts'

export interface PasswordChangeParts {
  readonly users: Pick<UserStore, 'setPassword'> & Pick<UserReader, 'findById'>
  /** Against the database alone. */
  readonly check: CountedCheck
  readonly hash: (password: string) => Promise<string>
  readonly clock: Clock
  readonly forget: Forget
}

/** Who changes their password, and where they are. */
export interface PasswordOwner {
  readonly uid: string
  readonly address: string
}

export interface PasswordChange {
  readonly current: string
  readonly new: string
  /** Whether passkeys and API keys end, too. */
  readonly everything?: boolean | undefined
}

/**
 * Gives an account of the database another password, and ends all its logins before now. A wrong current one counts like one
 * at a login.
 * @throws ServiceError `VALIDATION_FAILED`, `PASSWORD_ELSEWHERE` for an account of another store, `TOO_MANY_REQUESTS`,
 * `UNAVAILABLE`
 */
export async function changePassword(
  { users, check, hash, clock, forget }: PasswordChangeParts,
  { uid, address }: PasswordOwner,
  { current, new: replacement, everything = false }: PasswordChange,
): Promise<void> {
  const user = storeOf(uid) === 'database' ? await users.findById(uid) : undefined
  if (!user) throw fail('PASSWORD_ELSEWHERE')
  const { username } = user
  const problem = passwordProblem(username, replacement) ?? repetition(current, replacement)
  if (problem !== undefined) throw invalid([{ path: ['new'], message: problem }])
  const known = await check({ username, password: current, address }, (account) => account.uid === uid || undefined)
  if (!known) throw invalid([{ path: ['current'], message: 'must be the current password' }])
  const ended = everything ? EVERYTHING : LOGINS
  const passwordHash = await hash(replacement)
  const at = clock.now()
  const outcome = await users.setPassword(user, { passwordHash, ...marksEnding(ended, at, user) })
  if (outcome === 'moved') throw unavailable(new Error('another change of the account came first'))
  await forget(uid, ended, at)
}

function repetition(current: string, replacement: string): string | undefined {
  const [one, other] = [current, replacement].map(boundedPassword)
  return one !== undefined && other !== undefined && nfc(one) === nfc(other)
    ? 'must not be the current password'
    : undefined
}
