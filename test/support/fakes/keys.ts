import type { AccountStates } from '../../../lib/auth/account-states.ts'
import type { ApiKey, KeyAdministration, KeyReader } from '../../../lib/auth/keys/api-key.ts'
import { keyIdOf, keyTextOf, newSecret, secretHashOf } from '../../../lib/auth/keys/api-key.ts'
import type { KeyGate } from '../../../lib/auth/keys/gate.ts'
import type { TicketGate } from '../../../lib/auth/live/ticket.ts'
import { fail, unavailable } from '../../../lib/errors.ts'
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

  async list(limit: number, after: string | undefined, uid?: string): Promise<readonly ApiKey[]> {
    this.#reach()
    const own = [...this.kept.values()].filter((key) => uid === undefined || key.uid === uid)
    const older = own.filter(({ id }) => after === undefined || id < after)
    return older.sort((one, other) => (one.id > other.id ? -1 : 1)).slice(0, limit)
  }

  async remove(id: string): Promise<boolean> {
    this.#reach()
    return this.kept.delete(id)
  }

  async removeAll(uid: string, before: Date): Promise<void> {
    this.#reach()
    for (const key of this.kept.values()) if (key.uid === uid && key.loginAt < before) this.kept.delete(key.id)
  }

  #reach(): void {
    if (this.isDown) throw unavailable(new Error('the store is down'))
  }
}

const unknown = async () => {
  throw fail('API_KEY_INVALID', { authType: 'API Key', reason: 'Bad credentials' })
}

/** No key is known. */
export const noKeys: KeyGate = { check: unknown, confirm: unknown }

/** No ticket is known. */
export const noTickets: TicketGate = async () => {
  throw fail('TICKET_INVALID', { authType: 'Ticket', reason: 'Bad credentials' })
}

/** Accounts of which every one is an admin. */
export const ADMINS: Pick<AccountStates, 'find'> = {
  find: async (uid) => ({ uid, username: 'admin', roles: ['ROLE_ADMIN'] }),
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
    uid: 'admin-1',
    loginAt: START,
    expiresAt: new Date(START.getTime() + 3_600_000),
    ...changes,
  }
  return { key, text: keyTextOf({ id: key.id, secret }) }
}
