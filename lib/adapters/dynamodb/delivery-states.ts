import { BatchGetCommand, type BatchGetCommandInput, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb'
import type { DeliveryStates } from '../../deliver/operators/lacking.ts'
import type { EventFilter, Position } from '../../webhooks/operators/list.ts'
import { type Documents, request } from './client.ts'
import { type Item, jitter, type Pause } from './conditional.ts'
import { deliveriesKey, eventKeyIn } from './delivery-item.ts'
import { idRange } from './event-query.ts'
import { drain } from './stored-body.ts'

/** What the deliveries table says of states; dead ones are in its sparse index `dead`. */
export function dynamoDeliveryStates(documents: Documents, table: string, pause: Pause = jitter): DeliveryStates {
  return {
    async among(events, destination, statuses) {
      const found = new Map<string, unknown>()
      const wanted = {
        Keys: events.map((event) => ({ event: deliveriesKey(event), destination })),
        ProjectionExpression: '#event, #status, expireAt',
        ExpressionAttributeNames: { '#event': 'event', '#status': 'status' },
      }
      if (events.length > 0)
        await drain<NonNullable<BatchGetCommandInput['RequestItems']>>({ [table]: wanted }, pause, async (rest) => {
          const answer = await request(() => documents.send(new BatchGetCommand({ RequestItems: rest })))
          for (const { event, status } of answer.Responses?.[table] ?? []) found.set(event, status)
          return answer.UnprocessedKeys
        })
      return events.filter((event) => statuses.some((status) => status === found.get(deliveriesKey(event))))
    },

    dead(destination) {
      const ask = (filter: EventFilter, range: readonly [bigint, bigint], more: Partial<QueryCommandInput>) =>
        request(() => documents.send(new QueryCommand({ ...deadQuery(table, destination, filter, range), ...more })))

      return {
        async find(filter, after, limit) {
          const range = idRange(filter, after && { ...after, id: after.id - 1n })
          if (range[0] > range[1]) return { events: [], next: undefined }
          const { Items: items = [], LastEvaluatedKey: last } = await ask(filter, range, { Limit: limit })
          const events = items.map(keyIn)
          return { events, next: last && keyIn(last) }
        },

        async count(filter) {
          const range = idRange(filter, undefined)
          if (range[0] > range[1]) return 0
          let count = 0
          let start: QueryCommandInput['ExclusiveStartKey']
          do {
            const page = await ask(filter, range, { ExclusiveStartKey: start })
            count += page.Items?.length ?? 0
            start = page.LastEvaluatedKey
          } while (start)
          return count
        },
      }
    },
  }
}

/** No two events have one id. */
function keyIn({ event, id }: Item): Position {
  return { ...eventKeyIn(String(event)), id: BigInt(String(id)) }
}

function deadQuery(table: string, destination: string, filter: EventFilter, [first, last]: readonly [bigint, bigint]) {
  const { source, type, from, to } = filter
  const conditions = [
    ['begins_with(#event, :source)', ':source', source && `${source}/`],
    ['eventType = :type', ':type', type],
    ['receivedAt >= :from', ':from', from?.getTime()],
    ['receivedAt <= :to', ':to', to?.getTime()],
  ] as const
  const given = conditions.filter(([, , value]) => value !== undefined)
  return {
    TableName: table,
    IndexName: 'dead',
    ScanIndexForward: false,
    KeyConditionExpression: 'deadFor = :destination AND id BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ...{ ':destination': destination, ':first': first, ':last': last },
      ...Object.fromEntries(given.map(([, name, value]) => [name, value])),
    },
    ...(given.length > 0 && { FilterExpression: given.map(([condition]) => condition).join(' AND ') }),
    ...(source !== undefined && { ExpressionAttributeNames: { '#event': 'event' } }),
  }
}
