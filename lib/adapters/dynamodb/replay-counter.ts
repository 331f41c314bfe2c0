import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Delivery } from '../../deliver/delivery.ts'
import type { EventHead } from '../../webhooks/event.ts'
import type { ReplayCounter, ReplayCounts } from '../../webhooks/operators/replay.ts'
import { type Documents, request } from './client.ts'
import type { Item } from './conditional.ts'

interface Tables {
  readonly events: string
  readonly deliveries: string
}

/** Counts in the sparse indexes `byReplay`: a row is in one only once a replay has ordered it. */
export function dynamoReplayCounter(documents: Documents, { events, deliveries }: Tables): ReplayCounter {
  return {
    async count({ replayId, destination }) {
      const counts = { done: 0, failed: 0, waiting: 0 }
      const [table, fateOf] =
        destination === undefined ? ([events, fateOfEvent] as const) : ([deliveries, fateOfDelivery] as const)
      let start: QueryCommandInput['ExclusiveStartKey']
      do {
        const query = new QueryCommand({
          TableName: table,
          IndexName: 'byReplay',
          KeyConditionExpression: 'replayId = :replayId',
          ExpressionAttributeValues: { ':replayId': replayId },
          ExclusiveStartKey: start,
        })
        const { Items: items = [], LastEvaluatedKey: last } = await request(() => documents.send(query))
        for (const item of items) counts[fateOf(item)] += 1
        start = last
      } while (start)
      return counts
    },
  }
}

function fateOfEvent(item: Item): keyof ReplayCounts {
  const { status, attempts, nextRetryAt } = item as unknown as Pick<EventHead, 'status' | 'attempts' | 'nextRetryAt'>
  if (status === 'PROCESSED') return 'done'
  return status === 'FAILED' && (attempts > 0 || nextRetryAt === undefined) ? 'failed' : 'waiting'
}

function fateOfDelivery(item: Item): keyof ReplayCounts {
  const { status } = item as unknown as Pick<Delivery, 'status'>
  return status === 'DELIVERED' ? 'done' : status === 'DEAD' ? 'failed' : 'waiting'
}
