import type { EventTables } from '../adapters/dynamodb/event-store.ts'
import type { Config } from '../platform/config.ts'
import type { eventsStoreSettings } from '../platform/settings/stores.ts'

/** Where events are kept, and the rows that they change. */
export function tablesOf(config: Config<typeof eventsStoreSettings>): EventTables {
  return { events: config.EVENTS_TABLE, payments: config.PAYMENTS_TABLE, orders: config.ORDERS_TABLE }
}
