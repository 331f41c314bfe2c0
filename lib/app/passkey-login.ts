import { dynamoUserStore } from '../adapters/dynamodb/users.ts'
import { loginNotes } from '../auth/accounts.ts'
import { countedAttempts } from '../auth/login-attempts.ts'
import { loadConfig } from '../runtime/config.ts'
import { usersStoreSettings } from '../runtime/settings/stores.ts'
import { makeAccountStates } from './account-states.ts'
import { attemptParts } from './basic.ts'
import { makePasskeyRegistration } from './passkeys.ts'
import { sessionCookies } from './sessions.ts'
import { documents, passwordStores } from './stores.ts'
import { loginTrailOf } from './trail.ts'

/** For the login with a passkey. @throws ConfigError */
export function makePasskeyLogin() {
  const { USERS_TABLE } = loadConfig(usersStoreSettings)
  const app = makePasskeyRegistration()
  return {
    ...app,
    accounts: makeAccountStates(),
    stores: passwordStores(),
    attempts: countedAttempts(attemptParts()),
    logins: loginTrailOf(),
    noteLogin: loginNotes(dynamoUserStore(documents(), USERS_TABLE), app.clock),
    startedCookies: sessionCookies().started,
  }
}
