import { type Accounts, directoryAccounts, eitherAccounts } from '../auth/accounts.ts'
import { PROFILES } from '../auth/profile.ts'
import type { SignInParts } from '../auth/sign-in.ts'
import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { optional, text } from '../platform/settings/values.ts'
import { failures, metrics } from './basic.ts'
import { database } from './database.ts'

const config = loadConfig({ PROFILE: edgeSettings.PROFILE, LDAP_URL: optional(text) })

const STORES: Readonly<Record<'database' | 'directory', Accounts>> = {
  database,
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
export const logins: Omit<SignInParts, 'log'> = {
  accounts: PROFILES[config.PROFILE].stores
    .filter((name) => name === 'database' || hasDirectory)
    .map((name) => STORES[name])
    .reduce(eitherAccounts),
  failures,
  metrics,
}
