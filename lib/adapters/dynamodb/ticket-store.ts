import type { TicketStore } from '../../auth/live/ticket.ts'
import type { Documents } from './client.ts'
import { type OneTimeRows, putOneTime, takeOneTime } from './one-time-row.ts'

/** Tickets in the sessions table: each names the key of the login session that it was made in. */
export function dynamoTicketStore(documents: Documents, table: string): TicketStore {
  const rows: OneTimeRows = { documents, table, prefix: 'ticket#' }
  return {
    put: ({ key, sessionKey, expiresAt }) => putOneTime(rows, key, { opener: sessionKey }, expiresAt),

    async take(key) {
      const taken = await takeOneTime(rows, key)
      return taken && { key, sessionKey: String(taken.item['opener']), expiresAt: taken.expiresAt }
    },
  }
}
