import { dynamoGoodDocuments, dynamoSetups } from '../adapters/dynamodb/refusals.ts'
import { memoizeAsync } from '../runtime/cache.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { createRotatingKeys, type RotatingKeys } from '../webhooks/rotating-keys.ts'
import type { KeyRequest } from '../webhooks/schemes/rotation.ts'
import type { SetupStore } from '../webhooks/setup.ts'
import { clock, log } from './edge.ts'
import { documents, tableOf } from './stores.ts'

/** Where senders hand their tokens over. @throws ConfigError */
export function setups(): SetupStore {
  return dynamoSetups(documents(), tableOf('REFUSALS_TABLE'))
}

/** The keys that providers replace; loads the client for the first of them that is fetched. */
export function rotatingKeys(metrics: Metrics): RotatingKeys {
  const open = memoizeAsync(async () => {
    const { httpsKeyServer } = await import('../adapters/http/key-server.ts')
    return httpsKeyServer()
  })
  const good = dynamoGoodDocuments(documents(), tableOf('REFUSALS_TABLE'), () => clock.now())
  const server = { ask: async (request: KeyRequest) => (await open()).ask(request) }
  return createRotatingKeys({ server, good, clock, log, metrics })
}
