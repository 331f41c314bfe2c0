import { dynamoUserAdministration } from '../adapters/dynamodb/user-administration.ts'
import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { usersStoreSettings } from '../platform/settings/stores.ts'
import { basicCheckOf } from './basic.ts'
import { database } from './database.ts'
import { documents } from './documents.ts'
import { edgeOf } from './edge.ts'

const config = loadConfig({ ...edgeSettings, ...usersStoreSettings })

/** For HTTP Basic against the users table. */
export const app = {
  ...edgeOf(config),
  checks: { basic: basicCheckOf(database) },
  users: dynamoUserAdministration(documents, config.USERS_TABLE),
}
