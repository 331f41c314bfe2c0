import { memoizeAsync } from '../runtime/cache.ts'
import type { Metrics } from '../runtime/metrics.ts'
import { createRotatingKeys, type RotatingKeys } from '../webhooks/rotating-keys.ts'
import { clock, log } from './edge.ts'

/** The keys that providers replace; loads the client for the first of them that is fetched. */
export function rotatingKeys(metrics: Metrics): RotatingKeys {
  const open = memoizeAsync(async () => {
    const { httpsKeyServer } = await import('../adapters/http/key-server.ts')
    return httpsKeyServer()
  })
  return createRotatingKeys({ server: { ask: async (request) => (await open()).ask(request) }, clock, log, metrics })
}
