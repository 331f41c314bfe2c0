import { documentClient } from '../adapters/dynamodb/client.ts'
import { dynamoUserAdministration } from '../adapters/dynamodb/user-administration.ts'
import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { usersStoreSettings } from '../platform/settings/stores.ts'
import { edgeOf } from './edge.ts'
import { basicCheck } from './passwords.ts'

const config = loadConfig({ ...edgeSettings, ...usersStoreSettings })

/** For HTTP Basic against the users table. */
export const app = {
  ...edgeOf(config),
  checks: { basic: basicCheck('database') },
  users: dynamoUserAdministration(documentClient(), config.USERS_TABLE),
}
