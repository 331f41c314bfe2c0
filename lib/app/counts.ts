import { dynamoCountedEvents } from '../adapters/dynamodb/counted-events.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { eventsStoreSettings } from '../runtime/settings/stores.ts'
import { documents } from './clients.ts'
import { makeReading } from './reading.ts'

/** For operators, and machines, who count webhooks. */
export async function makeCounts(environment?: Environment) {
  const { EVENTS_TABLE } = loadConfig(eventsStoreSettings, [], environment)
  return { ...(await makeReading(environment)), events: dynamoCountedEvents(documents(), EVENTS_TABLE) }
}
