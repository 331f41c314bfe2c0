import { dynamoKeyAdministration } from '../adapters/dynamodb/keys.ts'
import { clockIds } from '../runtime/ids.ts'
import { makeChanging } from './changing.ts'
import { makeApi } from './checks.ts'
import { clock } from './edge.ts'
import { documents, tableOf } from './stores.ts'

/** For admins who look at API keys. */
export async function makeKeyList() {
  return { ...(await makeApi()), keys: keysOf() }
}

/** For admins who make and delete API keys. */
export async function makeKeys() {
  return { ...(await makeChanging(0)), keys: keysOf(), ids: clockIds(clock) }
}

function keysOf() {
  return dynamoKeyAdministration(documents(), tableOf('KEYS_TABLE'))
}
