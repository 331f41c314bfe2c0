import { dynamoUserStore } from '../adapters/dynamodb/users.ts'
import { loginNotes } from '../auth/accounts.ts'
import { countedAttempts } from '../auth/login-attempts.ts'
import { attemptParts } from './basic.ts'
import { makePasskeyRegistration } from './passkeys.ts'
import { makeAccountStates, sessionCookies } from './sessions.ts'
import { documents, loginTrailOf, passwordStores, tableOf } from './stores.ts'

/** For the login with a passkey. @throws ConfigError */
export function makePasskeyLogin() {
  const app = makePasskeyRegistration()
  return {
    ...app,
    accounts: makeAccountStates(),
    stores: passwordStores(),
    attempts: countedAttempts(attemptParts()),
    logins: loginTrailOf(),
    noteLogin: loginNotes(dynamoUserStore(documents(), tableOf('USERS_TABLE')), app.clock),
    startedCookies: sessionCookies().started,
  }
}
