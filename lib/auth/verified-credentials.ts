import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import type { Clock } from '../runtime/clock.ts'
import type { VerifiedCredentials, VerifiedUser } from './accounts.ts'

const MAXIMUM_ENTRIES = 1000

interface Entry {
  readonly user: VerifiedUser
  readonly addedAt: number
}

/**
 * Remembers right passwords for a short while, as a keyed hash whose key lives and dies with the process. An entry counts
 * only while the user's stored hash is still the one that the password was right for; failures are never remembered.
 * @param seconds 0 switches it off
 */
export function verifiedCredentials(clock: Clock, seconds: number): VerifiedCredentials {
  // Given the bytes themselves, Node would find out each time that they are no key (v24: 9 µs).
  const key = createSecretKey(randomBytes(32))
  const entries = new Map<string, Entry>()
  const nameOf = (username: string, password: string) =>
    createHmac('sha256', key).update(`${username.length}:${username}`).update(password).digest('base64url')

  return {
    find(username, password) {
      const entry = entries.get(nameOf(username, password))
      const age = entry && clock.now().getTime() - entry.addedAt
      return age !== undefined && age >= 0 && age < seconds * 1000 ? entry?.user : undefined
    },
    add(username, password, { id, passwordHash }) {
      if (seconds === 0) return
      if (entries.size >= MAXIMUM_ENTRIES) entries.delete(entries.keys().next().value ?? '')
      entries.set(nameOf(username, password), { user: { id, passwordHash }, addedAt: clock.now().getTime() })
    },
  }
}
