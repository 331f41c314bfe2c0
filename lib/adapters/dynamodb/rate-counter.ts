import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Tally } from '../../webhooks/rate/lease.ts'
import type { Counted, RateCounter } from '../../webhooks/rate/limiter.ts'
import type { Documents } from './client.ts'
import { type Item, updateIf } from './conditional.ts'
import { ttlAt } from './ttl.ts'

/** A caller waits for the answer, so it must not take as long as a store may. In milliseconds. */
const PATIENCE = 1000

/** DynamoDB reserves some of these words. */
const NAMES = { '#minute': 'minute', '#before': 'before', '#taken': 'taken', '#spare': 'spare', '#ttl': 'ttl' }

/** Tallies in the counters table, each of them one row. */
export function dynamoRateCounter(documents: Documents, table: string, patience = PATIENCE): RateCounter {
  async function update(counter: string, change: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<Counted> {
    const row = { TableName: table, Key: { counter }, ExpressionAttributeNames: NAMES, ...change }
    const { kind, item } = await updateIf(documents, row, AbortSignal.timeout(patience))
    return kind === 'written' ? { kind, tally: toTally(item) } : { kind, tally: item && toTally(item) }
  }

  return {
    take: (name, { minute, before, count, spare, maximumTaken, maximumSpare }, expiresAt) =>
      update(name, {
        UpdateExpression: 'SET #minute = :minute, #before = :before, #ttl = :ttl ADD #taken :count, #spare :spare',
        ConditionExpression:
          'attribute_not_exists(#minute) OR ' +
          '(#minute = :minute AND #before = :before AND #taken <= :maximumTaken AND #spare <= :maximumSpare)',
        ExpressionAttributeValues: {
          ':minute': minute,
          ':before': before,
          ':count': count,
          ':spare': spare,
          ':maximumTaken': maximumTaken,
          ':maximumSpare': maximumSpare,
          ':ttl': ttlAt(expiresAt),
        },
      }),

    rollOver: (name, seen, next, expiresAt) =>
      update(name, {
        UpdateExpression: 'SET #minute = :minute, #before = :before, #taken = :taken, #spare = :spare, #ttl = :ttl',
        ConditionExpression: '#minute = :seenMinute AND #taken = :seenTaken AND #spare = :seenSpare',
        ExpressionAttributeValues: {
          ':minute': next.minute,
          ':before': next.before,
          ':taken': next.taken,
          ':spare': next.spare,
          ':seenMinute': seen.minute,
          ':seenTaken': seen.taken,
          ':seenSpare': seen.spare,
          ':ttl': ttlAt(expiresAt),
        },
      }),
  }
}

function toTally(item: Item): Tally {
  return {
    minute: Number(item['minute']),
    before: Number(item['before']),
    taken: Number(item['taken']),
    spare: Number(item['spare']),
  }
}
