import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { KeyAdministration } from '../../auth/keys/api-key.ts'
import { type Documents, request } from './client.ts'
import { type KeyItem, keyItemOf, keyOfItem, rowOf } from './key-item.ts'
import { dynamoKeyReader } from './key-reader.ts'
import { putRecorded, removeRecorded } from './recorded.ts'

/** The keys table, as admins see it. */
export function dynamoKeyAdministration(documents: Documents, table: string): KeyAdministration {
  return {
    async add(key) {
      const put = { TableName: table, Item: keyItemOf(key), ConditionExpression: 'attribute_not_exists(id)' }
      const { kind } = await putRecorded(documents, put)
      if (kind === 'refused') throw new Error('the id of a new key is taken')
    },

    async list(limit, after) {
      const query = new QueryCommand({
        TableName: table,
        KeyConditionExpression: after === undefined ? 'kind = :kind' : 'kind = :kind AND id < :after',
        ExpressionAttributeValues: { ':kind': rowOf('').kind, ':after': after },
        ScanIndexForward: false,
        ConsistentRead: true,
        Limit: limit,
      })
      const { Items: items = [] } = await request(() => documents.send(query))
      return (items as KeyItem[]).map(keyOfItem)
    },

    find: dynamoKeyReader(documents, table).find,

    async remove(id) {
      const removal = { TableName: table, Key: rowOf(id), ConditionExpression: 'attribute_exists(id)' }
      return removeRecorded(documents, removal)
    },
  }
}
