import { dynamoOrders, dynamoPayments } from '../adapters/dynamodb/changed-rows.ts'
import { dynamoDeliveryStates } from '../adapters/dynamodb/delivery-states.ts'
import { dynamoDeliveryDesk, dynamoEventDeliveries, dynamoHeldEvents } from '../adapters/dynamodb/delivery-store.ts'
import { dynamoDueDeliveries } from '../adapters/dynamodb/due-deliveries.ts'
import { dynamoCountedEvents, dynamoEventList } from '../adapters/dynamodb/event-list.ts'
import { dynamoEventReader, dynamoOperatorStore, dynamoPayloads } from '../adapters/dynamodb/event-reader.ts'
import { dynamoHealthStore } from '../adapters/dynamodb/health-store.ts'
import { dynamoLastCalls, dynamoRefusalList, dynamoSetupOpener, dynamoSetups } from '../adapters/dynamodb/refusals.ts'
import { dynamoReplayCounter, dynamoReplayList, dynamoReplays } from '../adapters/dynamodb/replays.ts'
import { jitter } from '../adapters/dynamodb/table.ts'
import { dynamoTrailPages } from '../adapters/dynamodb/trail.ts'
import { dynamoUserReader } from '../adapters/dynamodb/users.ts'
import { destinationsOf } from '../deliver/configured/destinations.ts'
import { destinationNames } from '../deliver/handler-file.ts'
import { isNewsAsked } from '../deliver/news.ts'
import { dayCounter } from '../deliver/operators/day.ts'
import { publicKeysOf } from '../deliver/signing.ts'
import { memoizeAsync } from '../runtime/cache.ts'
import { loadConfig } from '../runtime/config.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import {
  auditStoreSettings,
  deliveriesStoreSettings,
  eventsStoreSettings,
  refusalsStoreSettings,
  replayStoreSettings,
  retryQueueSettings,
  usersStoreSettings,
} from '../runtime/settings/stores.ts'
import { logAudit } from '../webhooks/audit.ts'
import type { SourceListParts } from '../webhooks/operators/sources.ts'
import { isEachWritten } from '../webhooks/refusals/refusal.ts'
import { GATEHOUSE } from '../webhooks/source.ts'
import { makeChanging } from './changing.ts'
import { makeApi, makeReading } from './checks.ts'
import { clock, log } from './edge.ts'
import { newsOf, newsSettings } from './news.ts'
import { announcingOf, announcingSettings, observabilityOf, observabilitySettings } from './processing.ts'
import { queuesOfDestinations, replayQueue, retryQueue } from './queues.ts'
import { replayedListsIn } from './replayed-lists.ts'
import { deliverySecrets } from './secrets.ts'
import { teamSources, webhookSecrets } from './sources.ts'
import { documents, tableOf, trailOf } from './stores.ts'
import { team } from './team.ts'

/** For operators, and machines, who look at webhooks. */
export async function makeOperators() {
  return {
    ...(await makeReading()),
    events: dynamoEventReader(documents(), tableOf('EVENTS_TABLE')),
    list: dynamoEventList(documents(), tableOf('EVENTS_TABLE')),
    audit: logAudit(log),
    trail: trailOf(),
  }
}

/** For operators, and machines, who count webhooks. */
export async function makeCounts() {
  return { ...(await makeReading()), events: dynamoCountedEvents(documents(), tableOf('EVENTS_TABLE')) }
}

/** For operators who look at what was refused. */
export async function makeRefusals() {
  const { STAGE, BASE_URL } = edgeSettings
  const config = loadConfig({ ...refusalsStoreSettings, STAGE, BASE_URL })
  const list = dynamoRefusalList(documents(), config.REFUSALS_TABLE)
  return { ...(await makeApi()), list, isLowerBound: !isEachWritten(config) }
}

/** For operators who look at payments. */
export async function makePayments() {
  return { ...(await makeApi()), payments: dynamoPayments(documents(), tableOf('PAYMENTS_TABLE')) }
}

/** For operators who look at orders. */
export async function makeOrders() {
  return { ...(await makeApi()), orders: dynamoOrders(documents(), tableOf('ORDERS_TABLE')) }
}

/** For operators, and machines, who ask which sources there are. */
export async function makeSourceList() {
  const catalog = teamSources()
  const secrets = await webhookSecrets(catalog)
  const calls = dynamoLastCalls(documents(), tableOf('REFUSALS_TABLE'))
  const { STAGE } = loadConfig({ STAGE: edgeSettings.STAGE })
  const own = isNewsAsked(destinationsOf(team, STAGE)) ? [GATEHOUSE] : []
  const sources = (): SourceListParts => ({ catalog, calls, withSecret: secrets.current.keys(), own })
  return { ...(await makeReading()), sources }
}

/** For admins who set up a sender that hands a token over. */
export async function makeSetup() {
  const table = tableOf('REFUSALS_TABLE')
  const setups = { ...dynamoSetups(documents(), table), ...dynamoSetupOpener(documents(), table) }
  return { ...(await makeChanging()), setups, catalog: teamSources() }
}

/** For operators who run one webhook again. */
export async function makeManualRetry() {
  const settings = { ...eventsStoreSettings, ...retryQueueSettings, ...observabilitySettings }
  const config = loadConfig(settings)
  const { audit, conclude } = await observabilityOf(config, 'worker')
  return {
    ...(await makeChanging()),
    conclude,
    operators: dynamoOperatorStore(documents(), config.EVENTS_TABLE),
    queue: retryQueue(config.RETRY_QUEUE_URL),
    audit,
  }
}

/** For operators who run many webhooks again. */
export async function makeReplays() {
  const stores = { ...eventsStoreSettings, ...deliveriesStoreSettings, ...replayStoreSettings }
  const settings = { STAGE: edgeSettings.STAGE, ...stores }
  const config = loadConfig(settings)
  const names = destinationNames(team)
  return {
    ...(await makeChanging()),
    listOf: replayedListsIn({ events: config.EVENTS_TABLE, deliveries: config.DELIVERIES_TABLE }),
    replays: dynamoReplays(documents(), config.REPLAYS_TABLE),
    counter: replayCounter(),
    replayQueue: replayQueue(config.REPLAY_QUEUE_URL),
    isDestination: (name: string) => names.has(name),
  }
}

/** For operators who look at replays. */
export async function makeReplayList() {
  const replays = dynamoReplayList(documents(), tableOf('REPLAYS_TABLE'))
  return { ...(await makeApi()), replays, counter: replayCounter() }
}

function replayCounter() {
  const config = loadConfig({ ...eventsStoreSettings, ...deliveriesStoreSettings })
  return dynamoReplayCounter(documents(), { events: config.EVENTS_TABLE, deliveries: config.DELIVERIES_TABLE })
}

/** For operators who delete the payload of an event. */
export async function makePayloadDeletion() {
  const config = loadConfig({ ...deliveriesStoreSettings, ...eventsStoreSettings, ...announcingSettings })
  const { audit, announcer, conclude } = await announcingOf(config, 'worker')
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

/** For operators who look at destinations. */
export async function makeDestinations() {
  const { list, states, ...parts } = await makeDestinationDeliveries()
  const secrets = memoizeAsync(() => deliverySecrets('deliveries'))
  return {
    ...parts,
    ...destinationsKnown(),
    dayOf: dayCounter({ list, states, clock }),
    async publicKeys() {
      const given = await (await secrets())()
      return (destination: string) => publicKeysOf(given.get(destination) ?? [], clock.now())
    },
  }
}

/** For operators who look at the deliveries to a destination. */
export async function makeDestinationDeliveries() {
  const names = { STAGE: edgeSettings.STAGE, ...deliveriesStoreSettings, ...eventsStoreSettings }
  const config = loadConfig(names)
  return {
    ...(await makeApi()),
    destinations: destinationsOf(team, config.STAGE),
    list: dynamoEventList(documents(), config.EVENTS_TABLE),
    states: dynamoDeliveryStates(documents(), { deliveries: config.DELIVERIES_TABLE, events: config.EVENTS_TABLE }),
    health: dynamoHealthStore(documents(), config.DELIVERIES_TABLE),
  }
}

/** For operators who enable and disable destinations. */
export async function makeSwitchDestination() {
  const config = loadConfig(newsSettings)
  const health = dynamoHealthStore(documents(), config.DELIVERIES_TABLE, jitter, newsOf(config))
  return { ...(await makeChanging()), ...destinationsKnown(), health, audit: logAudit(log) }
}

/** For operators, and machines, who look at the deliveries of an event. */
export async function makeDeliveryList() {
  return { ...(await makeReading()), ...deliveriesKnown(), audit: logAudit(log), trail: trailOf() }
}

/** For operators who release a held event. */
export async function makeRelease() {
  const { queue: deliveryQueue, ...known } = await makeRedelivery()
  const config = loadConfig({ ...eventsStoreSettings, ...deliveriesStoreSettings, ...retryQueueSettings })
  const tables = { events: config.EVENTS_TABLE, deliveries: config.DELIVERIES_TABLE }
  return {
    ...known,
    held: dynamoHeldEvents(documents(), tables),
    queue: retryQueue(config.RETRY_QUEUE_URL),
    deliveryQueue,
  }
}

/** For operators who have an event delivered again. */
export async function makeRedelivery() {
  const config = loadConfig(retryQueueSettings)
  return {
    ...(await makeChanging()),
    ...deliveriesKnown(),
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
  const config = loadConfig({ STAGE: edgeSettings.STAGE, ...deliveriesStoreSettings, ...eventsStoreSettings })
  return {
    destinations: destinationsOf(team, config.STAGE),
    desk: dynamoDeliveryDesk(documents(), config.DELIVERIES_TABLE),
    health: dynamoHealthStore(documents(), config.DELIVERIES_TABLE),
    events: dynamoEventReader(documents(), config.EVENTS_TABLE),
  }
}

/** For admins who look at the audit trail. */
export async function makeTrailList() {
  const { AUDIT_TABLE, USERS_TABLE } = loadConfig({ ...auditStoreSettings, ...usersStoreSettings })
  const { findById } = dynamoUserReader(documents(), USERS_TABLE)
  return {
    ...(await makeApi()),
    pages: dynamoTrailPages(documents(), AUDIT_TABLE),
    nameOf: async (uid: string) => (await findById(uid))?.username,
  }
}
