import { BatchGetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { CounterStore } from '../../auth/login-failures.ts'
import { unavailable } from '../../errors.ts'
import { type Documents, request } from './client.ts'
import { removeIf, updateIf } from './conditional.ts'
import { ttlAt } from './ttl.ts'

const TTL = { '#ttl': 'ttl' }

/** The counters table, whose rows have the expiry in `ttl`, in seconds. */
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

    async take(counter, maximum, expiresAt) {
      const { kind, item } = await updateIf(documents, {
        TableName: table,
        Key: { counter },
        UpdateExpression: 'ADD hits :one SET #ttl = :ttl',
        ConditionExpression: 'attribute_not_exists(hits) OR hits < :maximum',
        ExpressionAttributeNames: TTL,
        ExpressionAttributeValues: { ':one': 1, ':maximum': maximum, ':ttl': ttlAt(expiresAt) },
      })
      return { kind: kind === 'written' ? 'added' : 'full', count: Number(item?.['hits'] ?? 0) }
    },

    async giveBack(counter) {
      await updateIf(documents, {
        TableName: table,
        Key: { counter },
        UpdateExpression: 'ADD hits :minusOne',
        ConditionExpression: 'hits > :none',
        ExpressionAttributeValues: { ':minusOne': -1, ':none': 0 },
      })
    },

    async set(counter, count, expiresAt) {
      const update = new UpdateCommand({
        TableName: table,
        Key: { counter },
        UpdateExpression: 'SET hits = :count, #ttl = :ttl',
        ExpressionAttributeNames: TTL,
        ExpressionAttributeValues: { ':count': count, ':ttl': ttlAt(expiresAt) },
      })
      await request(() => documents.send(update))
    },

    async remove(counter, count) {
      const removed = await removeIf(documents, {
        TableName: table,
        Key: { counter },
        ConditionExpression: 'hits = :count',
        ExpressionAttributeValues: { ':count': count },
      })
      return removed !== undefined
    },
  }
}
