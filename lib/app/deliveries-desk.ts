import { dynamoDeliveryDesk } from '../adapters/dynamodb/delivery-desk.ts'
import { dynamoDeliveryStates } from '../adapters/dynamodb/delivery-states.ts'
import { dynamoDueDeliveries } from '../adapters/dynamodb/due-deliveries.ts'
import { dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoEventReader } from '../adapters/dynamodb/event-reader.ts'
import { dynamoHealthStore } from '../adapters/dynamodb/health-store.ts'
import { destinationsOf } from '../deliver/configured/destinations.ts'
import { loadConfig } from '../runtime/config.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { deliveriesStoreSettings, eventsStoreSettings, retryQueueSettings } from '../runtime/settings/stores.ts'
import { logAudit } from '../webhooks/audit.ts'
import { makeApi } from './api.ts'
import { makeChanging } from './changing.ts'
import { documents } from './clients.ts'
import { queuesOfDestinations } from './delivery-queues.ts'
import { log } from './edge.ts'
import { makeReading } from './reading.ts'
import { team } from './team.ts'

/** For operators who look at destinations. */
export async function makeDestinations() {
  return { ...(await makeApi()), ...destinationsKnown() }
}

/** For operators who look at the deliveries to a destination. */
export async function makeDestinationDeliveries() {
  const names = { STAGE: edgeSettings.STAGE, ...deliveriesStoreSettings, ...eventsStoreSettings }
  const config = loadConfig(names)
  return {
    ...(await makeApi()),
    destinations: destinationsOf(team, config.STAGE),
    list: dynamoEventList(documents(), config.EVENTS_TABLE),
    states: dynamoDeliveryStates(documents(), config.DELIVERIES_TABLE),
    health: dynamoHealthStore(documents(), config.DELIVERIES_TABLE),
  }
}

/** For operators who enable and disable destinations. */
export async function makeSwitchDestination() {
  return { ...(await makeChanging()), ...destinationsKnown(), audit: logAudit(log) }
}

/** For operators, and machines, who look at the deliveries of an event. */
export async function makeDeliveryList() {
  return { ...(await makeReading()), ...deliveriesKnown() }
}

/** For operators who have an event delivered again. */
export async function makeRedelivery() {
  return { ...(await makeChanging()), ...redeliveryOf() }
}

function redeliveryOf() {
  const config = loadConfig({ STAGE: edgeSettings.STAGE, ...retryQueueSettings })
  return {
    ...deliveriesKnown(),
    destinations: destinationsOf(team, config.STAGE),
    queue: queuesOfDestinations(config.RETRY_QUEUE_URL),
    audit: logAudit(log),
  }
}

function destinationsKnown() {
  const config = loadConfig({ STAGE: edgeSettings.STAGE, ...deliveriesStoreSettings })
  return {
    destinations: destinationsOf(team, config.STAGE),
    health: dynamoHealthStore(documents(), config.DELIVERIES_TABLE),
    due: dynamoDueDeliveries(documents(), config.DELIVERIES_TABLE),
  }
}

function deliveriesKnown() {
  const config = loadConfig({ ...deliveriesStoreSettings, ...eventsStoreSettings })
  return {
    desk: dynamoDeliveryDesk(documents(), config.DELIVERIES_TABLE),
    health: dynamoHealthStore(documents(), config.DELIVERIES_TABLE),
    events: dynamoEventReader(documents(), config.EVENTS_TABLE),
  }
}
