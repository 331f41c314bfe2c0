import { setTimeout } from 'node:timers/promises'
import { dynamoDeliveryStore } from '../adapters/dynamodb/delivery-store.ts'
import { dynamoDueDeliveries } from '../adapters/dynamodb/due-deliveries.ts'
import { dynamoEventReader } from '../adapters/dynamodb/event-reader.ts'
import { dynamoHealthStore } from '../adapters/dynamodb/health-store.ts'
import { jitter } from '../adapters/dynamodb/table.ts'
import { createCircuit } from '../deliver/circuit.ts'
import { destinationsOf } from '../deliver/configured/destinations.ts'
import type { Destination } from '../deliver/destination.ts'
import { deliveriesOf } from '../deliver/hint.ts'
import { createDeliveries, type Deliveries } from '../deliver/worker.ts'
import { memoizeAsync } from '../runtime/cache.ts'
import { loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { carrierOf } from './carriers.ts'
import { clock, log } from './edge.ts'
import { newsOf, newsSettings } from './news.ts'
import { announcingOf, announcingSettings } from './processing.ts'
import { queuesOfDestinations } from './queues.ts'
import { documents } from './stores.ts'
import { team } from './team.ts'

/**
 * The workers of the destinations. One function serves them all, and another one each handler; a message says whose it
 * is.
 * @throws ConfigError
 */
export async function makeDeliveries() {
  const config = loadConfig(settings())
  const news = newsOf(config)
  const { metrics, telemetry, announcer, conclude } = await announcingOf(config, 'worker', news?.count)
  const store = dynamoDeliveryStore(documents(), config.DELIVERIES_TABLE)
  const health = dynamoHealthStore(documents(), config.DELIVERIES_TABLE, jitter, news)

  /** @throws ConfigError; ServiceError `UNAVAILABLE` */
  async function workerOf(destination: Destination): Promise<Deliveries> {
    const carrier = await carrierOf(destination, config.STAGE)
    return createDeliveries({
      destination,
      store,
      events: dynamoEventReader(documents(), config.EVENTS_TABLE),
      circuit: createCircuit(health, destination.name, clock),
      carrier: telemetry?.carrying(destination.name, carrier) ?? carrier,
      queue: queuesOfDestinations(config.RETRY_QUEUE_URL),
      wait: setTimeout,
      clock,
      ids: clockIds(clock),
      random: Math.random,
      deaths: announcer,
      metrics,
      log,
    })
  }

  const workers = new Map(
    destinationsOf(team, config.STAGE).map((one) => [one.name, memoizeAsync(() => workerOf(one))]),
  )
  return {
    conclude,
    deliveries: deliveriesOf(async (name) => workers.get(name)?.(), log),
  }
}

/** The scan of deliveries. @throws ConfigError */
export async function makeDeliveryScan() {
  const config = loadConfig(settings())
  const { metrics, announcer, conclude } = await announcingOf(config, 'worker', newsOf(config)?.count)
  const parts = {
    destinations: destinationsOf(team, config.STAGE),
    store: dynamoDeliveryStore(documents(), config.DELIVERIES_TABLE),
    due: dynamoDueDeliveries(documents(), config.DELIVERIES_TABLE),
    health: dynamoHealthStore(documents(), config.DELIVERIES_TABLE),
    queue: queuesOfDestinations(config.RETRY_QUEUE_URL),
    clock,
    deaths: announcer,
    metrics,
    log,
  }
  return { parts, conclude }
}

const settings = () => ({ ...newsSettings, ...announcingSettings })
