import type { DeliveryStates } from '../../deliver/operators/lacking.ts'
import type { EventKey } from '../../webhooks/event.ts'
import type { EventFilter, Position } from '../../webhooks/operators/list.ts'
import { type DeliveryItem, deliveriesKey, eventKeyIn, toDelivery } from './delivery-item.ts'
import { CONDITIONS, type Conditions, conditionsOf, idRange } from './event-list.ts'
import { pagesOf, rowsAt, rowsBy } from './lists.ts'
import { type Documents, type Item, jitter, type Pause, pageOf } from './table.ts'

/** What the deliveries table says of states; dead ones are in its sparse index `dead`. */
export function dynamoDeliveryStates(
  documents: Documents,
  { deliveries: table, events: eventsTable }: { readonly deliveries: string; readonly events: string },
  pause: Pause = jitter,
): DeliveryStates {
  return {
    async of(events, destination) {
      const keys = events.map(deliveriesKey)
      const places = keys.map((event) => ({ event, destination }))
      const rows = rowsBy('event', await rowsAt(documents, table, places, pause, {}))
      const found = keys.map((key) => rows.get(key)).filter((row) => row !== undefined)
      return found.map((row) => toDelivery(row as unknown as DeliveryItem))
    },

    async summaries(events) {
      const keys = events.map(({ source, eventId }) => ({ source, eventId }))
      const found = await rowsAt(documents, eventsTable, keys, pause, {
        ProjectionExpression: '#source, eventId, summary, expireAt',
        ExpressionAttributeNames: { '#source': 'source' },
      })
      const known = new Map(found.map((row) => [deliveriesKey(row as unknown as EventKey), row['summary']]))
      return keys.map((key) => known.get(deliveriesKey(key)) as string | undefined)
    },

    dead(destination) {
      return {
        async find(filter, after, limit) {
          const range = idRange(filter, after && { ...after, id: after.id - 1n })
          if (range[0] > range[1]) return { events: [], next: undefined }
          const query = deadQuery(table, destination, filter, range)
          const { items, last } = await pageOf(documents, { ...query, Limit: limit })
          const events = items.map(keyIn)
          return { events, next: last && keyIn(last) }
        },

        async count(filter) {
          const range = idRange(filter, undefined)
          if (range[0] > range[1]) return 0
          let count = 0
          for await (const items of pagesOf(documents, deadQuery(table, destination, filter, range)))
            count += items.length
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
  const sources = filter.source && [filter.source].flat().map((source) => `${source}/`)
  const { values, expression } = conditionsOf({ ...filter, source: sources }, DEAD_CONDITIONS)
  return {
    TableName: table,
    IndexName: 'dead',
    ScanIndexForward: false,
    KeyConditionExpression: 'deadFor = :destination AND id BETWEEN :first AND :last',
    ExpressionAttributeValues: { ...values, ':destination': destination, ':first': first, ':last': last },
    ...expression,
  }
}

/** The key has the source; it is no attribute of its own. */
const DEAD_CONDITIONS = {
  source: (keys) => `(${keys.map((key) => `begins_with(#event, ${key})`).join(' OR ')})`,
  type: CONDITIONS.type,
  from: CONDITIONS.from,
  to: CONDITIONS.to,
} as const satisfies Conditions
