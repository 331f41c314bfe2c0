import { dynamoKeyAdministration } from '../adapters/dynamodb/keys.ts'
import { loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { keysStoreSettings } from '../runtime/settings/stores.ts'
import { makeChanging } from './changing.ts'
import { makeApi } from './checks.ts'
import { clock } from './edge.ts'
import { documents } from './stores.ts'

/** For admins who look at API keys. */
export async function makeKeyList() {
  return { ...(await makeApi()), keys: keysOf() }
}

/** For admins who make and delete API keys. */
export async function makeKeys() {
  return { ...(await makeChanging()), keys: keysOf(), ids: clockIds(clock) }
}

function keysOf() {
  const { KEYS_TABLE } = loadConfig(keysStoreSettings)
  return dynamoKeyAdministration(documents(), KEYS_TABLE)
}
