import { dynamoKeyAdministration } from '../adapters/dynamodb/key-administration.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { keysStoreSettings } from '../runtime/settings/stores.ts'
import { makeApi } from './api.ts'
import { makeChanging } from './changing.ts'
import { documents } from './clients.ts'
import { clock } from './edge.ts'

/** For admins who look at API keys. */
export async function makeKeyList(environment?: Environment) {
  return { ...(await makeApi(environment)), keys: keysOf(environment) }
}

/** For admins who make and delete API keys. */
export async function makeKeys(environment?: Environment) {
  return { ...(await makeChanging(environment)), keys: keysOf(environment), ids: clockIds(clock) }
}

function keysOf(environment?: Environment) {
  const { KEYS_TABLE } = loadConfig(keysStoreSettings, [], environment)
  return dynamoKeyAdministration(documents(), KEYS_TABLE)
}
