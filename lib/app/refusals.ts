import { dynamoRefusalList } from '../adapters/dynamodb/refusal-list.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { refusalsStoreSettings } from '../runtime/settings/stores.ts'
import { makeApi } from './api.ts'
import { documents } from './clients.ts'

/** For operators who look at what was refused. */
export async function makeRefusals(environment?: Environment) {
  const settings = { ...refusalsStoreSettings, STAGE: edgeSettings.STAGE }
  const { REFUSALS_TABLE, STAGE } = loadConfig(settings, [], environment)
  const list = dynamoRefusalList(documents(), REFUSALS_TABLE)
  return { ...(await makeApi(environment)), list, isLowerBound: STAGE !== 'local' }
}
