import { setTimeout } from 'node:timers/promises'
import { dynamoAgedEvents } from '../adapters/dynamodb/aged-events.ts'
import { dynamoEventDeliveries } from '../adapters/dynamodb/event-deliveries.ts'
import { dynamoEventReader } from '../adapters/dynamodb/event-reader.ts'
import { dynamoPayloads } from '../adapters/dynamodb/payload-store.ts'
import { emfMetrics } from '../adapters/emf/metrics.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { deliveriesStoreSettings, eventsStoreSettings } from '../runtime/settings/stores.ts'
import type { RetentionParts } from '../webhooks/retention/job.ts'
import { retentionOf } from '../webhooks/retention/retention.ts'
import { makeChanging } from './changing.ts'
import { documents } from './clients.ts'
import { clock, log } from './edge.ts'
import { announcingOf, announcingSettings } from './processing.ts'
import { team } from './team.ts'

const tables = { ...deliveriesStoreSettings, ...eventsStoreSettings }

/** For operators who delete the payload of an event. */
export async function makePayloadDeletion(environment?: Environment) {
  const config = loadConfig({ ...tables, ...announcingSettings }, [], environment)
  const { audit, announcer, conclude } = announcingOf(config, 'worker')
  return {
    ...(await makeChanging(environment)),
    conclude,
    events: dynamoEventReader(documents(), config.EVENTS_TABLE),
    payloads: dynamoPayloads(documents(), config.EVENTS_TABLE),
    deliveries: dynamoEventDeliveries(documents(), config.DELIVERIES_TABLE),
    announcer,
    audit,
  }
}

/** The job that deletes payloads beyond their retention. */
export function makeRetention(environment?: Environment) {
  const config = loadConfig({ ...tables, STAGE: edgeSettings.STAGE }, [], environment)
  const metrics = emfMetrics(`gatehouse-${config.STAGE}`)
  const parts: RetentionParts = {
    retention: retentionOf(team),
    aged: dynamoAgedEvents(documents(), config.EVENTS_TABLE),
    payloads: dynamoPayloads(documents(), config.EVENTS_TABLE),
    deliveries: dynamoEventDeliveries(documents(), config.DELIVERIES_TABLE),
    clock,
    metrics,
    log,
    wait: setTimeout,
  }

  /** The result of an invocation, once everything that it reports has been written. */
  function concluded<T>(work: Promise<T>): Promise<T> {
    return work.finally(() => metrics.publish())
  }

  return { concluded, parts }
}
