import { dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoEventReader } from '../adapters/dynamodb/event-reader.ts'
import { loadConfig } from '../runtime/config.ts'
import { eventsStoreSettings } from '../runtime/settings/stores.ts'
import { logAudit } from '../webhooks/audit.ts'
import { documents } from './clients.ts'
import { log } from './edge.ts'
import { makeReading } from './reading.ts'
import { trailOf } from './trail.ts'

/** For operators, and machines, who look at webhooks. */
export async function makeOperators() {
  const { EVENTS_TABLE } = loadConfig(eventsStoreSettings)
  return {
    ...(await makeReading()),
    events: dynamoEventReader(documents(), EVENTS_TABLE),
    list: dynamoEventList(documents(), EVENTS_TABLE),
    audit: logAudit(log),
    trail: trailOf(),
  }
}
