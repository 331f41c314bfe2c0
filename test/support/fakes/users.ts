import { unavailable } from '../../../lib/errors.ts'
import { type User, type UserStore, userKey } from '../../../lib/users/user.ts'

/** Users in memory, kept under their key form as the users table does. */
export class MemoryUsers implements UserStore {
  readonly asked: string[] = []
  isDown = false
  readonly #byKey: Map<string, User>

  constructor(...users: readonly User[]) {
    this.#byKey = new Map(users.map((user) => [keyOf(user.username), user]))
  }

  async find(username: string): Promise<User | undefined> {
    this.asked.push(username)
    if (this.isDown) throw unavailable(new Error('the store is down'))
    return this.#byKey.get(keyOf(username))
  }

  async replacePasswordHash(username: string, read: string, replacement: string): Promise<void> {
    if (this.isDown) throw unavailable(new Error('the store is down'))
    const user = this.#byKey.get(keyOf(username))
    if (user?.passwordHash === read) this.#byKey.set(keyOf(username), { ...user, passwordHash: replacement })
  }
}

function keyOf(username: string): string {
  return userKey(username) ?? ''
}
