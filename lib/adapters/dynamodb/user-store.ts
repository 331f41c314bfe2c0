import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { type UserStore, userKey } from '../../users/user.ts'
import { type Documents, request } from './client.ts'
import { updateIf } from './conditional.ts'
import { toUser, type UserItem } from './user-item.ts'

/** The users table, as a login sees it. */
export function dynamoUserStore(documents: Documents, table: string): UserStore {
  const keyOf = (username: string) => ({ username: userKey(username) })
  return {
    async find(username) {
      const get = new GetCommand({ TableName: table, Key: keyOf(username), ConsistentRead: true })
      const { Item: item } = await request(() => documents.send(get))
      return item && toUser(item as UserItem)
    },

    async replacePasswordHash(username, read, replacement) {
      await updateIf(documents, {
        TableName: table,
        Key: keyOf(username),
        UpdateExpression: 'SET passwordHash = :replacement',
        ConditionExpression: 'passwordHash = :read',
        ExpressionAttributeValues: { ':read': read, ':replacement': replacement },
        ReturnValues: 'NONE',
      })
    },
  }
}
