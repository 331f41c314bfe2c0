import type { ApiKey, KeyAdministration, KeyReader } from '../../../lib/auth/keys/api-key.ts'
import { keyIdOf, keyTextOf, newSecret, secretHashOf } from '../../../lib/auth/keys/api-key.ts'
import { unavailable } from '../../../lib/errors.ts'
import { START } from './clock.ts'

/** Keys in memory; nothing clears away what is over, as the table may not for a while. */
export class MemoryKeys implements KeyReader, KeyAdministration {
  readonly kept = new Map<string, ApiKey>()
  finds = 0
  notes = 0
  isDown = false

  async add(key: ApiKey): Promise<void> {
    this.#reach()
    if (this.kept.has(key.id)) throw new Error('the id of a new key is taken')
    this.kept.set(key.id, key)
  }

  async find(id: string): Promise<ApiKey | undefined> {
    this.finds += 1
    this.#reach()
    return this.kept.get(id)
  }

  async noteUse(id: string, at: Date, before: Date): Promise<void> {
    this.notes += 1
    this.#reach()
    const key = this.kept.get(id)
    if (key && (key.lastUsedAt === undefined || key.lastUsedAt <= before)) {
      this.kept.set(id, { ...key, lastUsedAt: at })
    }
  }

  async list(limit: number, after: string | undefined): Promise<readonly ApiKey[]> {
    this.#reach()
    const older = [...this.kept.values()].filter(({ id }) => after === undefined || id < after)
    return older.sort((one, other) => (one.id > other.id ? -1 : 1)).slice(0, limit)
  }

  async remove(id: string): Promise<boolean> {
    this.#reach()
    return this.kept.delete(id)
  }

  #reach(): void {
    if (this.isDown) throw unavailable(new Error('the store is down'))
  }
}

let made = 0n

/** A key that is good for an hour from the start of the fixed clock, and its text. */
export function newApiKey(changes: Partial<ApiKey> = {}): { readonly key: ApiKey; readonly text: string } {
  made += 1n
  const secret = newSecret()
  const key: ApiKey = {
    id: keyIdOf(made),
    name: 'warehouse',
    secretHash: secretHashOf(secret),
    createdAt: START,
    createdBy: 'admin',
    expiresAt: new Date(START.getTime() + 3_600_000),
    ...changes,
  }
  return { key, text: keyTextOf({ id: key.id, secret }) }
}
