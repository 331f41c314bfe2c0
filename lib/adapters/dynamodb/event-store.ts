import type { EventStore } from '../../webhooks/inbox.ts'
import type { Documents } from './client.ts'
import { jitter, type Pause, putIf, transact } from './conditional.ts'
import { type EventItem, fromItem, toItem } from './event-item.ts'
import { paymentUpdate, toPayment } from './payment-write.ts'

export interface EventTables {
  readonly events: string
  readonly payments: string
}

const EVENT = 0

/** Spec 4.2, rule 3: the event and its effect in one request. */
export function dynamoEventStore(documents: Documents, tables: EventTables, pause: Pause = jitter): EventStore {
  return {
    async insert(event, { payment }) {
      const put = {
        TableName: tables.events,
        Item: toItem(event),
        ConditionExpression: 'attribute_not_exists(eventId)',
      }
      const result = payment
        ? await transact(
            documents,
            [
              { Put: { ...put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
              paymentUpdate(tables.payments, payment, event.id),
            ],
            pause,
          )
        : await putIf(documents, put)
      if (result.kind === 'written') return { kind: 'inserted' }
      const { index, item } = result
      if (item === undefined) throw new Error('a condition failed without showing its row')
      return index === EVENT
        ? { kind: 'present', event: fromItem(item as unknown as EventItem) }
        : { kind: 'blocked', stored: toPayment(item) }
    },
  }
}
