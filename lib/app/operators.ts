import { dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoEventReader } from '../adapters/dynamodb/event-reader.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { eventsStoreSettings } from '../runtime/settings/stores.ts'
import { makeApi } from './api.ts'
import { documents } from './clients.ts'

/** For operators who look after webhooks. */
export async function makeOperators(environment?: Environment) {
  const { EVENTS_TABLE } = loadConfig(eventsStoreSettings, [], environment)
  return {
    ...(await makeApi(environment)),
    events: dynamoEventReader(documents(), EVENTS_TABLE),
    list: dynamoEventList(documents(), EVENTS_TABLE),
  }
}
