import { PutCommand } from '@aws-sdk/lib-dynamodb'
import type { TicketStore } from '../../auth/live/ticket.ts'
import { type Documents, request } from './client.ts'
import { removeIf } from './conditional.ts'
import { ttlAt } from './ttl.ts'

interface TicketItem {
  /** The key of the login session. */
  readonly opener: string
  /** Milliseconds since the epoch. */
  readonly endsAt: number
}

/** No key of a session looks so, and a role can be held to these rows. */
const rowOf = (key: string) => ({ sessionKey: `ticket#${key}` })

/** Tickets in the sessions table. Without a `uid` they are among no account's sessions. */
export function dynamoTicketStore(documents: Documents, table: string): TicketStore {
  return {
    async put({ key, sessionKey, expiresAt }) {
      const item: TicketItem = { opener: sessionKey, endsAt: expiresAt.getTime() }
      const put = new PutCommand({ TableName: table, Item: { ...rowOf(key), ...item, ttl: ttlAt(expiresAt) } })
      await request(() => documents.send(put))
    },

    /** The condition makes the first of several deletes the only one. */
    async take(key) {
      const item = await removeIf(documents, {
        TableName: table,
        Key: rowOf(key),
        ConditionExpression: 'attribute_exists(sessionKey)',
      })
      if (!item) return undefined
      const { opener, endsAt } = item as unknown as TicketItem
      return { key, sessionKey: opener, expiresAt: new Date(endsAt) }
    },
  }
}
