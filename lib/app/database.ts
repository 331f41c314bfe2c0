import { dynamoUserStore } from '../adapters/dynamodb/user-store.ts'
import { type Accounts, databaseAccounts } from '../auth/accounts.ts'
import { verifiedCredentials } from '../auth/verified-credentials.ts'
import { loadConfig } from '../platform/config.ts'
import { loginSettings } from '../platform/settings/login.ts'
import { usersStoreSettings } from '../platform/settings/stores.ts'
import { documents } from './documents.ts'
import { clock } from './edge.ts'

const config = loadConfig({ BASIC_CACHE_SECONDS: loginSettings.BASIC_CACHE_SECONDS, ...usersStoreSettings })

/** The accounts of the users table. */
export const database: Accounts = databaseAccounts(
  dynamoUserStore(documents, config.USERS_TABLE),
  verifiedCredentials(clock, config.BASIC_CACHE_SECONDS),
)
