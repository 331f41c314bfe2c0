import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { NewsStore, Tally, Told } from '../../deliver/news.ts'
import type { Retention } from '../../webhooks/retention/retention.ts'
import { putDelivery } from './delivery-item.ts'
import { rowsUnder } from './delivery-store.ts'
import { toItem } from './event-item.ts'
import { inlineBody } from './stored-body.ts'
import { type Documents, jitter, type Pause, request, type Stored, timesIn, transact, whereFree } from './table.ts'

export interface NewsTables {
  readonly events: string
  readonly deliveries: string
  readonly retention: Retention
}

const DAY = 86_400_000

/** An event about events, and its deliveries, as writes of a transaction. */
export function newsPuts({ events, deliveries, retention }: NewsTables, { event, deliverTo }: Told) {
  const endsAt = new Date(event.receivedAt.getTime() + retention.daysOf(event.source) * DAY)
  const body = inlineBody(event.payload, true)
  if (body === undefined) throw new RangeError('news is short')
  const put = { Put: { TableName: events, Item: toItem(event, body, endsAt) } }
  return [put, ...deliverTo.map((row) => putDelivery(deliveries, event, row, endsAt))] as const
}

/** No event is stored under this name: the names of events contain a slash. */
const EVENT = '#news'

const keyOf = ({ type, subject }: Pick<Tally, 'type' | 'subject'>) => ({
  event: EVENT,
  destination: `${type}/${subject}`,
})

/** A count is a row of the deliveries table until the scan makes its event. */
export function dynamoNews(documents: Documents, tables: NewsTables, pause: Pause = jitter): NewsStore {
  const TableName = tables.deliveries
  return {
    async count({ since, last, ...about }) {
      const update = new UpdateCommand({
        TableName,
        Key: keyOf(about),
        UpdateExpression:
          'ADD #count :one SET #type = :type, #subject = :subject, #last = :last, #since = if_not_exists(#since, :since)',
        ExpressionAttributeValues: {
          ':one': 1,
          ':type': about.type,
          ':subject': about.subject,
          ':last': last,
          ':since': since.getTime(),
        },
      })
      await request(() => documents.send(update))
    },

    async counted() {
      const rows = (await rowsUnder(documents, TableName, EVENT)) as unknown as readonly Stored<Tally>[]
      return rows.map(({ type, subject, count, last, since }) => ({
        type,
        subject,
        count,
        last,
        ...timesIn({ since }, 'since'),
      }))
    },

    async tell(told, counted) {
      const end = counted && {
        Delete: {
          TableName,
          Key: keyOf(counted),
          ConditionExpression: '#count = :count',
          ExpressionAttributeValues: { ':count': counted.count },
        },
      }
      const [{ Put: event }, ...deliveries] = newsPuts(tables, told)
      const put = { Put: { ...event, ...whereFree('eventId', told.event.receivedAt) } }
      return (await transact(documents, [...(end ? [end] : []), put, ...deliveries], pause)).kind === 'written'
    },
  }
}
