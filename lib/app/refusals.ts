import { dynamoRefusalList } from '../adapters/dynamodb/refusal-list.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { refusalsStoreSettings } from '../runtime/settings/stores.ts'
import { makeApi } from './api.ts'
import { documents } from './clients.ts'

/** For operators who look at what was refused. */
export async function makeRefusals(environment?: Environment) {
  const { REFUSALS_TABLE } = loadConfig(refusalsStoreSettings, [], environment)
  return { ...(await makeApi(environment)), list: dynamoRefusalList(documents(), REFUSALS_TABLE) }
}
