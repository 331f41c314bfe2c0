import { type Accounts, directoryAccounts, eitherAccounts } from '../auth/accounts.ts'
import type { SignInParts } from '../auth/sign-in.ts'
import type { Environment } from '../runtime/config.ts'
import { type BasicCheck, basicCheckOf, databaseOf, signInParts } from './basic.ts'
import { passwordStores } from './stores.ts'

/** HTTP Basic against the profile's stores. @throws ConfigError */
export function makeBasicCheck(environment?: Environment): BasicCheck {
  return basicCheckOf(passwordsOf(environment))
}

/** The password stores that the profile accepts for logins. @throws ConfigError */
export function passwordsOf(environment?: Environment): SignInParts {
  const stores: Readonly<Record<'database' | 'directory', Accounts>> = {
    database: databaseOf(environment),
    directory: directoryOf(environment),
  }
  const accounts = passwordStores(environment)
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
