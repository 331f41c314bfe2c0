import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { AccountSessions } from '../../auth/session-list.ts'
import { type Documents, request } from './client.ts'
import { jitter, type Pause } from './conditional.ts'
import { removeRecorded } from './recorded.ts'
import { rowsAt } from './rows-at.ts'
import { type SessionItem, toSession } from './session-store.ts'

/** The sessions table, by account. The index lags by a moment; what it names is read from the table. */
export function dynamoAccountSessions(documents: Documents, table: string, pause: Pause = jitter): AccountSessions {
  return {
    async list(uid, limit) {
      const query = new QueryCommand({
        TableName: table,
        IndexName: 'byAccount',
        KeyConditionExpression: 'uid = :uid',
        ExpressionAttributeValues: { ':uid': uid },
        Limit: limit,
      })
      const { Items: items = [] } = await request(() => documents.send(query))
      const keys = items.map(({ sessionKey }) => String(sessionKey))
      const rows = await rowsAt({ documents, table, key: 'sessionKey', pause }, keys, true)
      return [...rows.values()].map((row) => toSession(row as unknown as SessionItem))
    },

    remove: (uid, sessionKey) =>
      removeRecorded(documents, {
        TableName: table,
        Key: { sessionKey },
        ConditionExpression: 'uid = :uid',
        ExpressionAttributeValues: { ':uid': uid },
      }),
  }
}
