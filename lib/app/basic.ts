import { dynamoCounterStore } from '../adapters/dynamodb/counter-store.ts'
import { promptEmfMetrics } from '../adapters/emf/metrics.ts'
import type { Account, Accounts } from '../auth/accounts.ts'
import { createLoginFailures } from '../auth/login-failures.ts'
import type { Principal } from '../auth/principal.ts'
import { createSignIn, type PasswordCredentials } from '../auth/sign-in.ts'
import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { loginSettings } from '../platform/settings/login.ts'
import { countersStoreSettings } from '../platform/settings/stores.ts'
import { documents } from './documents.ts'
import { clock, log } from './edge.ts'

const config = loadConfig({ STAGE: edgeSettings.STAGE, ...loginSettings, ...countersStoreSettings })

export const metrics = promptEmfMetrics(`gatehouse-${config.STAGE}`)

/** The failed passwords of everybody, whichever store refused them. */
export const failures = createLoginFailures(
  dynamoCounterStore(documents, config.COUNTERS_TABLE),
  {
    perUser: config.LOGIN_FAILURES_PER_USER,
    perAddress: config.LOGIN_FAILURES_PER_ADDRESS,
    perName: config.LOGIN_FAILURES_PER_NAME,
    windowSeconds: config.LOGIN_FAILURE_WINDOW_SECONDS,
  },
  clock,
)

/** HTTP Basic against a store. */
export function basicCheckOf(accounts: Accounts): (credentials: PasswordCredentials) => Promise<Principal> {
  const signIn = createSignIn({ accounts, failures, log, metrics })
  return (credentials) => signIn(credentials, 'Basic Authentication', toPrincipal)
}

function toPrincipal({ username, roles, authType, principalType }: Account): Principal {
  return { username, roles, authType, principalType }
}
