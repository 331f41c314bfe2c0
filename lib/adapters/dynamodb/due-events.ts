import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import { type EventHead, hintOf } from '../../webhooks/event.ts'
import type { DueEvent, DueEvents } from '../../webhooks/retry/scan.ts'
import { type Documents, request } from './client.ts'
import { updateIf } from './conditional.ts'
import { DUE_SHARDS, type EventItem } from './event-item.ts'

const PAGE = 100

/** What the index shows of a row. */
type IndexItem = Pick<
  EventItem,
  'source' | 'eventId' | 'status' | 'attempts' | 'receivedAt' | 'nextRetryAt' | 'leaseUntil'
>

/** Since when a row of each status could have been run. */
const DUE: Readonly<Record<EventHead['status'], (item: IndexItem) => number | undefined>> = {
  RECEIVED: ({ receivedAt }) => receivedAt,
  PROCESSING: ({ leaseUntil }) => leaseUntil,
  RETRY: ({ leaseUntil }) => leaseUntil,
  FAILED: ({ nextRetryAt }) => nextRetryAt,
  PROCESSED: () => undefined,
}

/** The sparse index `due` of the events table. */
export function dynamoDueEvents(documents: Documents, table: string): DueEvents {
  async function* shard(dueShard: string, now: Date): AsyncGenerator<readonly DueEvent[]> {
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
      yield (page.Items ?? []).map((item) => toDue(item as IndexItem, now))
      start = page.LastEvaluatedKey
    } while (start)
  }

  return {
    async *dueBy(now) {
      for (const dueShard of DUE_SHARDS) yield* shard(dueShard, now)
    },

    async postponeScan({ source, eventId, n }, until) {
      const isSeen = n === 0 ? '#status = :received' : '#status <> :received AND attempts = :before'
      await updateIf(documents, {
        TableName: table,
        Key: { source, eventId },
        UpdateExpression: 'SET sweepAt = :until',
        ConditionExpression: `attribute_exists(dueShard) AND ${isSeen}`,
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':until': until.getTime(),
          ':received': 'RECEIVED',
          ...(n > 0 && { ':before': n - 1 }),
        },
        ReturnValues: 'NONE',
      })
    },
  }
}

function toDue(item: IndexItem, now: Date): DueEvent {
  return { hint: hintOf(item), since: new Date(DUE[item.status](item) ?? now) }
}
