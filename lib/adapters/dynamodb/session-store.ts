import { DeleteCommand, GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Session, SessionStore, SessionUser } from '../../auth/session.ts'
import { type Documents, request } from './client.ts'
import { SHOW_NOTHING, updateIf } from './conditional.ts'
import { putRecorded } from './recorded.ts'
import { ttlAt } from './ttl.ts'

export interface SessionItem extends SessionUser {
  readonly sessionKey: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly lastSeenAt: number
}

/** The sessions table; `ttl`, in seconds, lets DynamoDB clear away what is over, some time later. */
export function dynamoSessionStore(documents: Documents, table: string): SessionStore {
  const remove = (sessionKey: string) =>
    request(() => documents.send(new DeleteCommand({ TableName: table, Key: { sessionKey } })))

  return {
    async put({ key, createdAt, lastSeenAt, ...user }, expiresAt) {
      const item = {
        ...user,
        sessionKey: key,
        createdAt: createdAt.getTime(),
        lastSeenAt: lastSeenAt.getTime(),
        ttl: ttlAt(expiresAt),
      }
      await putRecorded(documents, { TableName: table, Item: item })
    },

    async find(sessionKey) {
      const get = new GetCommand({ TableName: table, Key: { sessionKey }, ConsistentRead: true })
      const { Item: item } = await request(() => documents.send(get))
      return item && toSession(item as SessionItem)
    },

    async touch(sessionKey, lastSeenAt, expiresAt) {
      await updateIf(documents, {
        TableName: table,
        Key: { sessionKey },
        UpdateExpression: 'SET lastSeenAt = :seen, #ttl = :ttl',
        ConditionExpression: 'attribute_exists(sessionKey)',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':seen': lastSeenAt.getTime(), ':ttl': ttlAt(expiresAt) },
        ...SHOW_NOTHING,
      })
    },

    async remove(sessionKey) {
      await remove(sessionKey)
    },

    async removeAll(uid) {
      let start: QueryCommandInput['ExclusiveStartKey']
      do {
        const query = new QueryCommand({
          TableName: table,
          IndexName: 'byAccount',
          KeyConditionExpression: 'uid = :uid',
          ExpressionAttributeValues: { ':uid': uid },
          ExclusiveStartKey: start,
        })
        const page = await request(() => documents.send(query))
        await Promise.all((page.Items ?? []).map(({ sessionKey }) => remove(String(sessionKey))))
        start = page.LastEvaluatedKey
      } while (start)
    },
  }
}

export function toSession(item: SessionItem): Session {
  const { sessionKey, createdAt, lastSeenAt, username, roles, authType, principalType, uid, oauth2 } = item
  const times = { createdAt: new Date(createdAt), lastSeenAt: new Date(lastSeenAt) }
  return { key: sessionKey, username, roles, authType, principalType, uid, oauth2, ...times }
}
