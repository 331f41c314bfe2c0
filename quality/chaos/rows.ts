import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb'
import { type EventItem, headOf } from '../../lib/adapters/dynamodb/event-item.ts'
import type { EventHead } from '../../lib/webhooks/event.ts'

/** What the verdict reads of an event's row. */
export type EventRow = Pick<EventHead, 'source' | 'eventId' | 'status' | 'attempts' | 'dead' | 'history'>

/** A row of the payments or of the orders. */
export interface EffectRow {
  readonly key: string
  readonly status: string
}

/** Everything that a run stored. */
export interface Stored {
  readonly events: readonly EventRow[]
  readonly payments: readonly EffectRow[]
  readonly orders: readonly EffectRow[]
}

const tableOf = (name: string) => `gatehouse-local-${name}`

/** Reads the tables of a local run behind its back. */
export function createReader(endpoint: string) {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials }))

  async function rows(table: string, index?: string) {
    const items: Record<string, unknown>[] = []
    const scan = { TableName: tableOf(table), IndexName: index }
    for await (const { Items: page = [] } of paginateScan({ client }, scan)) items.push(...page)
    return items
  }

  const effects = async (table: string, key: string) =>
    (await rows(table)).map((row): EffectRow => ({ key: String(row[key]), status: String(row['status']) }))

  return {
    /** How many events wait for a run, or for one to end. */
    waiting: async () => (await rows('events', 'due')).length,
    async stored(): Promise<Stored> {
      const events = await rows('events')
      // The table holds the bodies' hashes and parts beside the events.
      const own = (events as unknown as EventItem[]).filter(isEvent).map(headOf)
      const payments = await effects('payments', 'transactionId')
      return { events: own, payments, orders: await effects('orders', 'orderId') }
    },
    close: () => client.destroy(),
  }
}

/** Whether a row of the events table is an event. */
export function isEvent({ listShard }: Pick<EventItem, 'listShard'>): boolean {
  return listShard !== undefined
}

/** Whether nothing waits for a run any more. */
export function isFinal({ status, dead }: EventRow): boolean {
  return status === 'PROCESSED' || (status === 'FAILED' && dead)
}
