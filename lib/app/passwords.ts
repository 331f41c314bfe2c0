import * as z from 'zod/mini'
import { documentClient } from '../adapters/dynamodb/client.ts'
import { dynamoCounterStore } from '../adapters/dynamodb/counter-store.ts'
import { dynamoUserStore } from '../adapters/dynamodb/user-store.ts'
import { type Account, type Accounts, databaseAccounts, directoryAccounts, eitherAccounts } from '../auth/accounts.ts'
import { createLoginFailures } from '../auth/login-failures.ts'
import type { Principal } from '../auth/principal.ts'
import { PROFILES } from '../auth/profile.ts'
import { type PasswordCredentials, type SignInParts, signIn } from '../auth/sign-in.ts'
import { verifiedCredentials } from '../auth/verified-credentials.ts'
import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { loginSettings } from '../platform/settings/login.ts'
import { countersStoreSettings, usersStoreSettings } from '../platform/settings/stores.ts'
import { clock } from './edge.ts'

const config = loadConfig({
  ...loginSettings,
  ...usersStoreSettings,
  ...countersStoreSettings,
  PROFILE: edgeSettings.PROFILE,
  LDAP_URL: z.optional(z.string()),
})
const documents = documentClient()

const failures = createLoginFailures(
  dynamoCounterStore(documents, config.COUNTERS_TABLE),
  {
    perUser: config.LOGIN_FAILURES_PER_USER,
    perAddress: config.LOGIN_FAILURES_PER_ADDRESS,
    windowSeconds: config.LOGIN_FAILURE_WINDOW_SECONDS,
  },
  clock,
)

const verified = verifiedCredentials(clock, config.BASIC_CACHE_SECONDS)

const STORES: Readonly<Record<'database' | 'directory', Accounts>> = {
  database: databaseAccounts(dynamoUserStore(documents, config.USERS_TABLE), verified),
  directory: {
    async check(username, password) {
      const { openDirectory } = await import('./directory.ts')
      return directoryAccounts(await openDirectory()).check(username, password)
    },
  },
}

/** Profile `default` has a directory where one is configured; profile `ldap` cannot do without. */
const hasDirectory = config.LDAP_URL !== undefined || config.PROFILE === 'ldap'

/** The passwords that the profile takes, for logins. */
export const logins: SignInParts = {
  accounts: PROFILES[config.PROFILE].stores
    .filter((name) => name === 'database' || hasDirectory)
    .map((name) => STORES[name])
    .reduce(eitherAccounts),
  failures,
}

/** HTTP Basic against the profile's stores, or against one of them. */
export function basicCheck(store?: keyof typeof STORES): (credentials: PasswordCredentials) => Promise<Principal> {
  const parts = store === undefined ? logins : { accounts: STORES[store], failures }
  return async (credentials) => toPrincipal(await signIn(parts, credentials, 'Basic Authentication'))
}

function toPrincipal({ username, roles, authType, principalType }: Account): Principal {
  return { username, roles, authType, principalType }
}
