import { type Accounts, directoryAccounts, eitherAccounts } from '../auth/accounts.ts'
import { PROFILES } from '../auth/profile.ts'
import type { SignInParts } from '../auth/sign-in.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { optional, text } from '../runtime/settings/values.ts'
import { type BasicCheck, basicCheckOf, databaseOf, signInParts } from './basic.ts'

/** HTTP Basic against the profile's stores. @throws ConfigError */
export function makeBasicCheck(environment?: Environment): BasicCheck {
  return basicCheckOf(passwordsOf(environment))
}

/** The password stores that the profile accepts for logins. @throws ConfigError */
export function passwordsOf(environment?: Environment): SignInParts {
  const config = loadConfig({ PROFILE: edgeSettings.PROFILE, LDAP_URL: optional(text) }, [], environment)
  const stores: Readonly<Record<'database' | 'directory', Accounts>> = {
    database: databaseOf(environment),
    directory: directoryOf(environment),
  }
  /** Profile `default` uses a directory if one is configured; profile `ldap` requires one. */
  const hasDirectory = config.LDAP_URL !== undefined || config.PROFILE === 'ldap'
  const accounts = PROFILES[config.PROFILE].stores
    .filter((name) => name === 'database' || hasDirectory)
    .map((name) => stores[name])
    .reduce(eitherAccounts)
  return signInParts(accounts, environment)
}

/** Loads its client when the first password needs it. */
function directoryOf(environment?: Environment): Accounts {
  return {
    async check(username, password) {
      const { openDirectory } = await import('./directory.ts')
      return directoryAccounts(await openDirectory(environment)).check(username, password)
    },
  }
}
