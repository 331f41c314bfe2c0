import { dynamoCounter } from '../adapters/dynamodb/counter.ts'
import { dynamoUserList, dynamoUserStore } from '../adapters/dynamodb/users.ts'
import { promptEmfMetrics } from '../adapters/emf/metrics.ts'
import {
  type Accounts,
  databaseAccounts,
  type LoggedInAccount,
  loginNotes,
  verifiedCredentials,
} from '../auth/accounts.ts'
import { createLoginFailures } from '../auth/login-failures.ts'
import type { Principal } from '../auth/principal.ts'
import { createSignIn, type PasswordCredentials, type SignInParts } from '../auth/sign-in.ts'
import { loadConfig } from '../runtime/config.ts'
import { edgeDeployed, edgeSettings, serviceOf, serviceSettings } from '../runtime/settings/edge.ts'
import { loginSettings } from '../runtime/settings/login.ts'
import { countersStoreSettings, usersStoreSettings } from '../runtime/settings/stores.ts'
import { clock, contextOf, log } from './edge.ts'
import { documents, loginTrailOf } from './stores.ts'

export type BasicCheck = (credentials: Omit<PasswordCredentials, 'method'>) => Promise<Principal>

/** For HTTP Basic against the users table. @throws ConfigError */
export function makeDatabase() {
  const config = loadConfig({ ...edgeSettings, ...usersStoreSettings }, edgeDeployed)
  return {
    ...contextOf(config),
    checks: { basic: basicCheckOf(signInParts(databaseOf())) },
    users: dynamoUserList(documents(), config.USERS_TABLE),
  }
}

/** HTTP Basic against a store. */
export function basicCheckOf(parts: SignInParts): BasicCheck {
  const signIn = createSignIn(parts)
  return (credentials) => signIn({ ...credentials, method: 'basic' }, 'Basic Authentication', toPrincipal)
}

function toPrincipal({ username, uid, roles, authType, principalType, since: loggedInAt }: LoggedInAccount): Principal {
  return { username, uid, roles, authType, principalType, loggedInAt }
}

/** The accounts of the users table. @param renews whether a login replaces outdated hashes @throws ConfigError */
export function databaseOf(renews = false): Accounts {
  const settings = { BASIC_CACHE_SECONDS: loginSettings.BASIC_CACHE_SECONDS, ...usersStoreSettings }
  const config = loadConfig(settings)
  const { replacePasswordHash, ...users } = dynamoUserStore(documents(), config.USERS_TABLE)
  const verified = verifiedCredentials(clock, config.BASIC_CACHE_SECONDS)
  const renewing = renews ? { ...users, replacePasswordHash } : users
  return { ...databaseAccounts(renewing, verified), noteLogin: loginNotes(users, clock) }
}

/** One count of failed logins covers all accounts, whichever store refused them. @throws ConfigError */
export function attemptParts(): Pick<SignInParts, 'failures' | 'metrics' | 'logins'> {
  const settings = { ...serviceSettings, ...loginSettings, ...countersStoreSettings }
  const config = loadConfig(settings)
  const failures = createLoginFailures(
    dynamoCounter(documents(), config.COUNTERS_TABLE),
    {
      perUser: config.LOGIN_FAILURES_PER_USER,
      perAddress: config.LOGIN_FAILURES_PER_ADDRESS,
      perName: config.LOGIN_FAILURES_PER_NAME,
      windowSeconds: config.LOGIN_FAILURE_WINDOW_SECONDS,
    },
    clock,
  )
  return { failures, metrics: promptEmfMetrics(serviceOf(config)), logins: loginTrailOf() }
}

/** @throws ConfigError */
export function signInParts(accounts: Accounts): SignInParts {
  return { ...attemptParts(), accounts, log }
}
