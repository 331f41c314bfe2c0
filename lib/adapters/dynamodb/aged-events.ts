import { createHash } from 'node:crypto'
import { DeleteCommand, GetCommand, PutCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { AgedEvent, AgedEvents, Walk } from '../../webhooks/retention/job.ts'
import { type Documents, request } from './client.ts'
import { updateIf } from './conditional.ts'
import { deliveriesKey } from './delivery-item.ts'
import { type EventItem, LIST_SHARDS } from './event-item.ts'

const PAGE = 500

/** Names that no source can have, so no event stands there. */
const WALKS = '#retention'
const HELD = '#held'

/** The index `byTime` has the events by age; the table itself stores the progress of the walks. */
export function dynamoAgedEvents(documents: Documents, table: string): AgedEvents {
  async function* pages(input: Partial<QueryCommandInput>) {
    let start: QueryCommandInput['ExclusiveStartKey']
    do {
      const query = new QueryCommand({ ...input, TableName: table, Limit: PAGE, ExclusiveStartKey: start })
      const page = await request(() => documents.send(query))
      start = page.LastEvaluatedKey
      yield { items: page.Items ?? [], last: start }
    } while (start)
  }

  return {
    lanes: LIST_SHARDS,

    async reached(walk) {
      const get = new GetCommand({ TableName: table, Key: walkKey(walk), ConsistentRead: true })
      const { Item: item } = await request(() => documents.send(get))
      return BigInt(String(item?.['reached'] ?? 0))
    },

    async reach(walk, id) {
      await updateIf(documents, {
        TableName: table,
        Key: walkKey(walk),
        UpdateExpression: 'SET reached = :id',
        ConditionExpression: 'attribute_not_exists(reached) OR reached < :id',
        ExpressionAttributeValues: { ':id': id },
        ReturnValues: 'NONE',
      })
    },

    async *between(lane, above, upTo) {
      if (above >= upTo) return
      const found = pages({
        IndexName: 'byTime',
        KeyConditionExpression: 'listShard = :shard AND id BETWEEN :first AND :last',
        ExpressionAttributeValues: { ':shard': lane, ':first': above + 1n, ':last': upTo },
      })
      for await (const { items, last } of found) {
        // Another row may have the last id too.
        const reached = last ? BigInt(String(last['id'])) - 1n : upTo
        yield { events: items.map(toAged), reached }
      }
    },

    async hold({ source, eventId, id, eventType }) {
      const held = { ...heldKey({ source, eventId }), id, eventType, of: { source, eventId } }
      await request(() => documents.send(new PutCommand({ TableName: table, Item: held })))
    },

    async release(event) {
      await request(() => documents.send(new DeleteCommand({ TableName: table, Key: heldKey(event) })))
    },

    async *held() {
      const found = pages({
        KeyConditionExpression: '#source = :held',
        ExpressionAttributeNames: { '#source': 'source' },
        ExpressionAttributeValues: { ':held': HELD },
        ConsistentRead: true,
      })
      for await (const { items } of found) yield items.map((item) => toAged({ ...item, ...item['of'] }))
    },
  }
}

/** For another retention there is another row. */
function walkKey({ lane, days, mark }: Walk) {
  const hash = createHash('sha256').update(mark).digest('hex').slice(0, 16)
  return { source: WALKS, eventId: `${hash}/${days}/${lane}` }
}

function heldKey(event: Parameters<typeof deliveriesKey>[0]) {
  return { source: HELD, eventId: deliveriesKey(event) }
}

function toAged(item: object): AgedEvent {
  const { source, eventId, id, eventType } = item as EventItem
  return { source, eventId, id: BigInt(id.toString()), eventType }
}
