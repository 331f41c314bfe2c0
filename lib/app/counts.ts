import { dynamoCountedEvents } from '../adapters/dynamodb/counted-events.ts'
import { loadConfig } from '../runtime/config.ts'
import { eventsStoreSettings } from '../runtime/settings/stores.ts'
import { documents } from './clients.ts'
import { makeReading } from './reading.ts'

/** For operators, and machines, who count webhooks. */
export async function makeCounts() {
  const { EVENTS_TABLE } = loadConfig(eventsStoreSettings)
  return { ...(await makeReading()), events: dynamoCountedEvents(documents(), EVENTS_TABLE) }
}
