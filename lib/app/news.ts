import { dynamoNews } from '../adapters/dynamodb/news.ts'
import { destinationsOf } from '../deliver/configured/destinations.ts'
import { wakeAll } from '../deliver/delivering-inserts.ts'
import { isNewsAsked, newsDesk, tallying } from '../deliver/news.ts'
import type { Config } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { deliveriesStoreSettings, eventsStoreSettings, retryQueueSettings } from '../runtime/settings/stores.ts'
import { retentionOf } from '../webhooks/retention/retention.ts'
import { clock, log } from './edge.ts'
import { queuesOfDestinations } from './queues.ts'
import { documents } from './stores.ts'
import { team } from './team.ts'

export const newsSettings = {
  STAGE: edgeSettings.STAGE,
  ...deliveriesStoreSettings,
  ...eventsStoreSettings,
  ...retryQueueSettings,
}

/** What tells the destinations of this stage of the service itself; undefined if none asks. */
export function newsOf(config: Config<typeof newsSettings>) {
  const destinations = destinationsOf(team, config.STAGE)
  if (!isNewsAsked(destinations)) return undefined
  const tables = { events: config.EVENTS_TABLE, deliveries: config.DELIVERIES_TABLE, retention: retentionOf(team) }
  const store = dynamoNews(documents(), tables)
  const queue = queuesOfDestinations(config.RETRY_QUEUE_URL)
  const wake = wakeAll.bind(undefined, { queue, log })
  return {
    store,
    tables,
    desk: newsDesk({ destinations, clock, ids: clockIds(clock), wake }),
    count: tallying(store, clock),
  }
}
