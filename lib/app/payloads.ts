import { dynamoEventDeliveries } from '../adapters/dynamodb/event-deliveries.ts'
import { dynamoEventReader } from '../adapters/dynamodb/event-reader.ts'
import { dynamoPayloads } from '../adapters/dynamodb/payload-store.ts'
import { loadConfig } from '../runtime/config.ts'
import { deliveriesStoreSettings, eventsStoreSettings } from '../runtime/settings/stores.ts'
import { makeChanging } from './changing.ts'
import { documents } from './clients.ts'
import { announcingOf, announcingSettings } from './processing.ts'

const tables = { ...deliveriesStoreSettings, ...eventsStoreSettings }

/** For operators who delete the payload of an event. */
export async function makePayloadDeletion() {
  const config = loadConfig({ ...tables, ...announcingSettings })
  const { audit, announcer, conclude } = announcingOf(config, 'worker')
  return {
    ...(await makeChanging()),
    conclude,
    events: dynamoEventReader(documents(), config.EVENTS_TABLE),
    payloads: dynamoPayloads(documents(), config.EVENTS_TABLE),
    deliveries: dynamoEventDeliveries(documents(), config.DELIVERIES_TABLE),
    announcer,
    audit,
  }
}
