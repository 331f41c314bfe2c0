import { BatchGetCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import { unavailable } from '../../errors.ts'
import type { Counted, Counter, Tally } from '../../runtime/tally.ts'
import { type Documents, type Item, removeIf, request, ttlAt, updateIf } from './table.ts'

const ALL = 'SET #window = :window, #before = :before, #taken = :taken, #spare = :spare, #ttl = :ttl'
const AS_SEEN = '#window = :seenWindow AND #before = :seenBefore AND #taken = :seenTaken AND #spare = :seenSpare'

/**
 * Tallies in the counters table, each of them one row.
 * @param patience for an answer to `take` and `rollOver`, in milliseconds; as for every store if absent
 */
export function dynamoCounter(documents: Documents, table: string, patience?: number): Counter {
  const rowOf = (counter: string) => ({ TableName: table, Key: { counter } })

  async function update(counter: string, change: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<Counted> {
    const signal = patience === undefined ? undefined : AbortSignal.timeout(patience)
    const { kind, item } = await updateIf(documents, { ...rowOf(counter), ...change }, signal)
    return kind === 'written' ? { kind, tally: toTally(item) } : { kind, tally: item && toTally(item) }
  }

  /** Takes one from a number above 0; whether it was of that window. */
  async function lessen(counter: string, number: 'taken' | 'before', window: number): Promise<boolean> {
    const { kind } = await updateIf(documents, {
      ...rowOf(counter),
      UpdateExpression: `ADD #${number} :minusOne`,
      ConditionExpression: `#window = :window AND #${number} > :none`,
      ExpressionAttributeValues: { ':window': window, ':minusOne': -1, ':none': 0 },
    })
    return kind === 'written'
  }

  return {
    async read(names) {
      const keys = names.map((counter) => ({ counter }))
      const batch = new BatchGetCommand({ RequestItems: { [table]: { Keys: keys, ConsistentRead: true } } })
      const { Responses: responses, UnprocessedKeys: unprocessed } = await request(() => documents.send(batch))
      if (unprocessed?.[table]) throw unavailable(new Error('DynamoDB left counters unread'))
      const tallies = new Map(responses?.[table]?.map((item) => [String(item['counter']), toTally(item)]))
      return names.map((name) => tallies.get(name))
    },

    take: (name, { window, before, count, spare, maximumTaken, maximumSpare }, expiresAt) =>
      update(name, {
        UpdateExpression: 'SET #window = :window, #before = :before, #ttl = :ttl ADD #taken :count, #spare :spare',
        ConditionExpression:
          'attribute_not_exists(#window) OR ' +
          '(#window = :window AND #before = :before AND #taken <= :maximumTaken AND #spare <= :maximumSpare)',
        ExpressionAttributeValues: {
          ':window': window,
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
        UpdateExpression: ALL,
        ConditionExpression: AS_SEEN,
        ExpressionAttributeValues: { ...allOf(next, expiresAt), ...seenOf(seen) },
      }),

    async giveBack(name, window) {
      if (!(await lessen(name, 'taken', window))) await lessen(name, 'before', window + 1)
    },

    async set(name, tally, expiresAt) {
      await update(name, { UpdateExpression: ALL, ExpressionAttributeValues: allOf(tally, expiresAt) })
    },

    async remove(name, seen) {
      await removeIf(documents, {
        ...rowOf(name),
        ConditionExpression: AS_SEEN,
        ExpressionAttributeValues: seenOf(seen),
      })
    },
  }
}

function allOf({ window, before, taken, spare }: Tally, expiresAt: Date) {
  return { ':window': window, ':before': before, ':taken': taken, ':spare': spare, ':ttl': ttlAt(expiresAt) }
}

function seenOf({ window, before, taken, spare }: Tally) {
  return { ':seenWindow': window, ':seenBefore': before, ':seenTaken': taken, ':seenSpare': spare }
}

function toTally(item: Item): Tally {
  return {
    window: Number(item['window']),
    before: Number(item['before']),
    taken: Number(item['taken']),
    spare: Number(item['spare']),
  }
}
