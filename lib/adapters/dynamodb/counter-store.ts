import { BatchGetCommand, DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { CounterStore } from '../../auth/login-failures.ts'
import { unavailable } from '../../errors.ts'
import { type Documents, request } from './client.ts'

/** The counters table; a name is never used again after its `ttl`, in seconds. */
export function dynamoCounterStore(documents: Documents, table: string): CounterStore {
  return {
    async read(names) {
      const keys = names.map((counter) => ({ counter }))
      const batch = new BatchGetCommand({ RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } })
      const { Responses: responses, UnprocessedKeys: unprocessed } = await request(() => documents.send(batch))
      if (unprocessed?.[table]) throw unavailable(new Error('DynamoDB left counters unread'))
      const counts = new Map(responses?.[table]?.map(({ counter, hits }) => [String(counter), Number(hits)]))
      return names.map((name) => counts.get(name) ?? 0)
    },

    async add(counter, expiresAt) {
      const update = new UpdateCommand({
        TableName: table,
        Key: { counter },
        UpdateExpression: 'ADD hits :one SET #ttl = :ttl',
        ExpressionAttributeNames: { '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':one': 1, ':ttl': Math.ceil(expiresAt.getTime() / 1000) },
        ReturnValues: 'UPDATED_NEW',
      })
      const { Attributes: attributes } = await request(() => documents.send(update))
      return Number(attributes?.['hits'])
    },

    async remove(counter) {
      await request(() => documents.send(new DeleteCommand({ TableName: table, Key: { counter } })))
    },
  }
}
