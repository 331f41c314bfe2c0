import { QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { LastCallStore } from '../../webhooks/last-calls.ts'
import { type Documents, request } from './client.ts'
import type { Item } from './conditional.ts'
import { ttlAt } from './ttl.ts'

/** The partition of the refusals table with a row for each source; refusals have days. */
const SOURCES = 'sources'

/** How long a row is kept after the last call of its source, in milliseconds. */
const KEPT_MS = 400 * 24 * 60 * 60 * 1000

const ATTRIBUTES = { accepted: 'lastAcceptedAt', refused: 'lastRefusedAt' } as const

/** Times are milliseconds since the epoch. */
export function dynamoLastCalls(documents: Documents, table: string): LastCallStore {
  return {
    async note(source, result, at, signal) {
      const update = new UpdateCommand({
        TableName: table,
        Key: { day: SOURCES, cause: source },
        UpdateExpression: 'SET #time = :at, #ttl = :ttl',
        ExpressionAttributeNames: { '#time': ATTRIBUTES[result], '#ttl': 'ttl' },
        ExpressionAttributeValues: { ':at': at.getTime(), ':ttl': ttlAt(new Date(at.getTime() + KEPT_MS)) },
      })
      await request(() => documents.send(update, { abortSignal: signal }))
    },

    async all() {
      const found: Item[] = []
      let start: Item | undefined
      do {
        const query = new QueryCommand({
          TableName: table,
          KeyConditionExpression: '#day = :sources',
          ExpressionAttributeNames: { '#day': 'day' },
          ExpressionAttributeValues: { ':sources': SOURCES },
          ExclusiveStartKey: start,
        })
        const { Items: items = [], LastEvaluatedKey: last } = await request(() => documents.send(query))
        found.push(...items)
        start = last
      } while (start)
      return found.map(({ cause, lastAcceptedAt, lastRefusedAt }) => ({
        source: String(cause),
        lastAcceptedAt: dateOf(lastAcceptedAt),
        lastRefusedAt: dateOf(lastRefusedAt),
      }))
    },
  }
}

function dateOf(milliseconds: unknown): Date | undefined {
  return milliseconds === undefined ? undefined : new Date(Number(milliseconds))
}
