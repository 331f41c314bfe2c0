import { GetCommand } from '@aws-sdk/lib-dynamodb'
import type { KeyReader } from '../../auth/keys/api-key.ts'
import { type Documents, request } from './client.ts'
import { updateIf } from './conditional.ts'
import { type KeyItem, keyOfItem, rowOf } from './key-item.ts'

/** The keys table, as the check of keys sees it: a key that was just made is known at once. */
export function dynamoKeyReader(documents: Documents, table: string): KeyReader {
  return {
    async find(id) {
      const get = new GetCommand({ TableName: table, Key: rowOf(id), ConsistentRead: true })
      const { Item: item } = await request(() => documents.send(get))
      return item && keyOfItem(item as KeyItem)
    },

    async noteUse(id, at, before) {
      await updateIf(documents, {
        TableName: table,
        Key: rowOf(id),
        UpdateExpression: 'SET lastUsedAt = :at',
        ConditionExpression: 'attribute_exists(id) AND (attribute_not_exists(lastUsedAt) OR lastUsedAt <= :before)',
        ExpressionAttributeValues: { ':at': at.getTime(), ':before': before.getTime() },
        ReturnValues: 'NONE',
      })
    },
  }
}
