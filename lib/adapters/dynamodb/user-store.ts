import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Role } from '../../users/role.ts'
import { type UserStore, userKey } from '../../users/user.ts'
import { type Documents, request } from './client.ts'

/** The users table: key `username` in its key form, `name` as it was given. */
export function dynamoUserStore(documents: Documents, table: string): UserStore {
  const keyOf = (username: string) => ({ username: userKey(username) })
  return {
    async find(username) {
      const { Item: item } = await request(() =>
        documents.send(new GetCommand({ TableName: table, Key: keyOf(username), ConsistentRead: true })),
      )
      return item && toUser(item as UserItem)
    },

    async replacePasswordHash(username, read, replacement) {
      const update = new UpdateCommand({
        TableName: table,
        Key: keyOf(username),
        UpdateExpression: 'SET passwordHash = :replacement',
        ConditionExpression: 'passwordHash = :read',
        ExpressionAttributeValues: { ':read': read, ':replacement': replacement },
      })
      await request(
        () => documents.send(update),
        (error) => error instanceof ConditionalCheckFailedException || undefined,
      )
    },
  }
}

interface UserItem {
  readonly name: string
  readonly passwordHash: string
  readonly roles: readonly Role[]
  readonly enabled: boolean
}

function toUser({ name, passwordHash, roles, enabled }: UserItem) {
  return { username: name, passwordHash, roles, enabled }
}
