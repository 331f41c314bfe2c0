import { unavailable } from '../../../lib/errors.ts'
import {
  isDatabaseUid,
  isEnabledAdmin,
  type KnownUser,
  type LoginEnds,
  type User,
  type UserAdministration,
  type UserChanges,
  type UserList,
  type UserPage,
  type UserStore,
  userKey,
} from '../../../lib/users/user.ts'

/** The hash of `correct horse`, made with less memory than new hashes are. */
export const OUTDATED_HASH =
  '$argon2id$v=19$m=8192,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$64zw4y6hGNSGW1HTKDajc74EIkJpCJ+AUBXDspyrFEU'

/** Users in memory, kept under their key form as the users table does. */
export class MemoryUsers implements UserStore, UserAdministration, UserList {
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
    if (this.#byKey.has(keyOf(user.username))) return 'taken'
    this.#byKey.set(keyOf(user.username), user)
    return 'added'
  }

  async findById(id: string): Promise<User | undefined> {
    this.#reach()
    return [...this.#byKey.values()].find((user) => user.id === id)
  }

  async findOtherAdmin(id: string): Promise<User | undefined> {
    this.#reach()
    return [...this.#byKey.values()].find((user) => user.id !== id && isEnabledAdmin(user))
  }

  async update(read: KnownUser, changes: UserChanges, remaining?: KnownUser): Promise<'written' | 'moved'> {
    this.#reach()
    if (!this.#isAsRead(read) || !this.#remains(remaining)) return 'moved'
    this.change(read.username, changes)
    return 'written'
  }

  async remove(read: KnownUser, remaining?: KnownUser): Promise<'written' | 'moved'> {
    this.#reach()
    if (!this.#isAsRead(read) || !this.#remains(remaining)) return 'moved'
    this.#byKey.delete(keyOf(read.username))
    return 'written'
  }

  async setPassword(read: KnownUser, changes: UserChanges): Promise<'written' | 'moved'> {
    const now = await this.findById(read.id)
    if (!now || now.validAfter?.getTime() !== read.validAfter?.getTime()) return 'moved'
    this.change(now.username, changes)
    return 'written'
  }

  async noteLogin(id: string, at: Date): Promise<void> {
    const user = await this.findById(id)
    const last = user?.lastLoginAt?.getTime() ?? Number.NEGATIVE_INFINITY
    if (user && at.getTime() - last >= 60_000) this.change(user.username, { lastLoginAt: at })
  }

  async page(limit: number, after?: string): Promise<UserPage> {
    this.#reach()
    const keys = [...this.#byKey.keys()].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    const found = keys.filter((key) => after === undefined || Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0)
    const page = found.slice(0, limit)
    return {
      users: page.flatMap((key) => this.#byKey.get(key) ?? []),
      next: found.length > limit ? page.at(-1) : undefined,
    }
  }

  /** A change from elsewhere, past every condition. */
  change(username: string, changes: Partial<User>): void {
    const user = this.#byKey.get(keyOf(username))
    if (user) this.#byKey.set(keyOf(username), { ...user, ...changes })
  }

  #isAsRead({ id, username, enabled, roles }: KnownUser): boolean {
    const now = this.#byKey.get(keyOf(username))
    return now?.id === id && now.enabled === enabled && String(now.roles) === String(roles)
  }

  #remains(user: KnownUser | undefined): boolean {
    const now = user && this.#byKey.get(keyOf(user.username))
    return user === undefined || (now !== undefined && now.id === user.id && isEnabledAdmin(now))
  }

  #reach(): void {
    if (this.isDown) throw unavailable(new Error('the store is down'))
  }
}

function keyOf(username: string): string {
  return userKey(username) ?? ''
}
