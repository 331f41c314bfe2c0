import { dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoEventReader } from '../adapters/dynamodb/event-reader.ts'
import { loadConfig } from '../platform/config.ts'
import { eventsStoreSettings } from '../platform/settings/stores.ts'
import { app as api } from './api.ts'
import { documents } from './documents.ts'

const { EVENTS_TABLE } = loadConfig(eventsStoreSettings)

/** For those who look after webhooks. */
export const app = {
  ...api,
  events: dynamoEventReader(documents, EVENTS_TABLE),
  list: dynamoEventList(documents, EVENTS_TABLE),
}
