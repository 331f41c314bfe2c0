import { dynamoLastCalls } from '../adapters/dynamodb/last-calls.ts'
import { loadConfig } from '../runtime/config.ts'
import { refusalsStoreSettings } from '../runtime/settings/stores.ts'
import type { SourceListParts } from '../webhooks/operators/sources.ts'
import { documents } from './clients.ts'
import { makeReading } from './reading.ts'
import { teamSources } from './sources.ts'
import { webhookSecrets } from './webhook-secrets.ts'

/** For operators, and machines, who ask which sources there are. */
export async function makeSourceList() {
  const { REFUSALS_TABLE } = loadConfig(refusalsStoreSettings)
  const catalog = teamSources()
  const secrets = await webhookSecrets(catalog)
  const calls = dynamoLastCalls(documents(), REFUSALS_TABLE)
  const sources = (): SourceListParts => ({ catalog, calls, withSecret: secrets.current.keys() })
  return { ...(await makeReading()), sources }
}
