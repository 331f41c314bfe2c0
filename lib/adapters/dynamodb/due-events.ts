import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { RetryHint } from '../../webhooks/event.ts'
import type { DueEvents } from '../../webhooks/sweep.ts'
import { type Documents, request } from './client.ts'
import { updateIf } from './conditional.ts'
import { DUE_SHARDS } from './event-item.ts'

const PAGE = 100

interface IndexItem {
  readonly source: string
  readonly eventId: string
  readonly attempts: number
}

/** The sparse index `due` of the events table. */
export function dynamoDueEvents(documents: Documents, table: string): DueEvents {
  async function* shard(dueShard: string, now: Date): AsyncGenerator<readonly RetryHint[]> {
    let start: QueryCommandInput['ExclusiveStartKey']
    do {
      const query = new QueryCommand({
        TableName: table,
        IndexName: 'due',
        KeyConditionExpression: 'dueShard = :shard AND sweepAt <= :now',
        ExpressionAttributeValues: { ':shard': dueShard, ':now': now.getTime() },
        Limit: PAGE,
        ExclusiveStartKey: start,
      })
      const page = await request(() => documents.send(query))
      yield (page.Items ?? []).map((item) => toHint(item as IndexItem))
      start = page.LastEvaluatedKey
    } while (start)
  }

  return {
    async *dueBy(now) {
      for (const dueShard of DUE_SHARDS) yield* shard(dueShard, now)
    },

    async postponeSweep({ source, eventId, n }, until) {
      await updateIf(documents, {
        TableName: table,
        Key: { source, eventId },
        UpdateExpression: 'SET sweepAt = :until',
        ConditionExpression: 'attempts = :n AND attribute_exists(dueShard)',
        ExpressionAttributeValues: { ':until': until.getTime(), ':n': n },
        ReturnValues: 'NONE',
      })
    },
  }
}

function toHint({ source, eventId, attempts: n }: IndexItem): RetryHint {
  return { source, eventId, n }
}
