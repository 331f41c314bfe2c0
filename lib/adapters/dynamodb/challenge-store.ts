import type { ChallengeStore } from '../../auth/passkeys/challenge.ts'
import type { Documents } from './client.ts'
import { type OneTimeRows, putOneTime, takeOneTime } from './one-time-row.ts'

/** Challenges of passkeys in the sessions table. */
export function dynamoChallengeStore(documents: Documents, table: string): ChallengeStore {
  const rows: OneTimeRows = { documents, table, prefix: 'challenge#' }
  return {
    put: ({ key, text, expiresAt }) => putOneTime(rows, key, { challenge: text }, expiresAt),

    async take(key) {
      const taken = await takeOneTime(rows, key)
      return taken && { key, text: String(taken.item['challenge']), expiresAt: taken.expiresAt }
    },
  }
}
