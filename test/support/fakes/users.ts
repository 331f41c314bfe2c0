import { unavailable } from '../../../lib/errors.ts'
import { isDatabaseUid } from '../../../lib/users/account-id.ts'
import { type LoginEnds, type User, type UserAdministration, type UserStore, userKey } from '../../../lib/users/user.ts'

/** The hash of `correct horse`, made with less memory than new hashes are. */
export const OUTDATED_HASH =
  '$argon2id$v=19$m=8192,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$64zw4y6hGNSGW1HTKDajc74EIkJpCJ+AUBXDspyrFEU'

/** Users in memory, kept under their key form as the users table does. */
export class MemoryUsers implements UserStore, UserAdministration {
  readonly asked: string[] = []
  isDown = false
  readonly #ends = new Map<string, Date>()
  readonly ends: LoginEnds = {
    find: async (uid) => (await this.findById(uid))?.validAfter ?? this.#ends.get(uid),
    end: async (uid, at) => {
      const user = await this.findById(uid)
      const known = await this.ends.find(uid)
      if (known && known >= at) return
      if (user) this.change(user.username, { validAfter: at })
      else if (!isDatabaseUid(uid)) this.#ends.set(uid, at)
    },
  }
  readonly #byKey: Map<string, User>

  constructor(...users: readonly User[]) {
    this.#byKey = new Map(users.map((user) => [keyOf(user.username), user]))
  }

  async find(username: string): Promise<User | undefined> {
    this.asked.push(username)
    this.#reach()
    return this.#byKey.get(keyOf(username))
  }

  async replacePasswordHash(id: string, read: string, replacement: string): Promise<void> {
    const user = await this.findById(id)
    if (user?.passwordHash === read) this.#byKey.set(keyOf(user.username), { ...user, passwordHash: replacement })
  }

  async add(user: User): Promise<'added' | 'taken'> {
    this.#reach()
    const looks = [...this.#byKey.values()].flatMap(({ look }) => look ?? [])
    if (this.#byKey.has(keyOf(user.username)) || looks.includes(user.look ?? '')) return 'taken'
    this.#byKey.set(keyOf(user.username), user)
    return 'added'
  }

  async findById(id: string): Promise<User | undefined> {
    this.#reach()
    return [...this.#byKey.values()].find((user) => user.id === id)
  }

  async remove({ id, username }: User, remaining?: User): Promise<'removed' | 'alone'> {
    this.#reach()
    const other = remaining && this.#byKey.get(keyOf(remaining.username))
    if (remaining && !(other?.id === remaining.id && other.enabled)) return 'alone'
    if (this.#byKey.get(keyOf(username))?.id === id) this.#byKey.delete(keyOf(username))
    return 'removed'
  }

  async list(limit: number): Promise<readonly User[]> {
    this.#reach()
    const byName = [...this.#byKey.values()].sort((one, other) => one.username.localeCompare(other.username))
    return byName.slice(0, limit)
  }

  /** A change from elsewhere, past every condition. */
  change(username: string, changes: Partial<User>): void {
    const user = this.#byKey.get(keyOf(username))
    if (user) this.#byKey.set(keyOf(username), { ...user, ...changes })
  }

  #reach(): void {
    if (this.isDown) throw unavailable(new Error('the store is down'))
  }
}

function keyOf(username: string): string {
  return userKey(username) ?? ''
}
