import { dynamoRefusalList } from '../adapters/dynamodb/refusal-list.ts'
import { loadConfig } from '../runtime/config.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { refusalsStoreSettings } from '../runtime/settings/stores.ts'
import { isEachWritten } from '../webhooks/refusals/refusal.ts'
import { makeApi } from './api.ts'
import { documents } from './clients.ts'

/** For operators who look at what was refused. */
export async function makeRefusals() {
  const { STAGE, BASE_URL } = edgeSettings
  const config = loadConfig({ ...refusalsStoreSettings, STAGE, BASE_URL })
  const list = dynamoRefusalList(documents(), config.REFUSALS_TABLE)
  return { ...(await makeApi()), list, isLowerBound: !isEachWritten(config) }
}
