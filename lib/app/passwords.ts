import { type Accounts, directoryAccounts, eitherAccounts } from '../auth/accounts.ts'
import type { SignInParts } from '../auth/sign-in.ts'
import { type BasicCheck, basicCheckOf, databaseOf, signInParts } from './basic.ts'
import { passwordStores } from './stores.ts'

/** HTTP Basic against the profile's stores. @throws ConfigError */
export function makeBasicCheck(): BasicCheck {
  return basicCheckOf(passwordsOf())
}

/**
 * The password stores that the profile accepts for logins.
 * @param renews whether a login replaces outdated hashes: HTTP Basic never does
 * @throws ConfigError
 */
export function passwordsOf(renews = false): SignInParts {
  const stores: Readonly<Record<'database' | 'directory', Accounts>> = {
    database: databaseOf(renews),
    directory: directoryOf(),
  }
  const accounts = passwordStores()
    .map((name) => stores[name])
    .reduce(eitherAccounts)
  return signInParts(accounts)
}

/** Loads its client when the first password needs it. */
function directoryOf(): Accounts {
  return {
    async check(username, password) {
      const { openDirectory } = await import('./directory.ts')
      return directoryAccounts(await openDirectory()).check(username, password)
    },
  }
}
