import { dynamoCounterStore } from '../adapters/dynamodb/counter-store.ts'
import { promptEmfMetrics } from '../adapters/emf/metrics.ts'
import type { Account, Accounts } from '../auth/accounts.ts'
import { countedFailures } from '../auth/counted-failures.ts'
import { createLoginFailures } from '../auth/login-failures.ts'
import type { Principal } from '../auth/principal.ts'
import { type PasswordCredentials, signIn } from '../auth/sign-in.ts'
import { loadConfig } from '../platform/config.ts'
import { edgeSettings } from '../platform/settings/edge.ts'
import { loginSettings } from '../platform/settings/login.ts'
import { countersStoreSettings } from '../platform/settings/stores.ts'
import { documents } from './documents.ts'
import { clock, log } from './edge.ts'

const config = loadConfig({ STAGE: edgeSettings.STAGE, ...loginSettings, ...countersStoreSettings })

/** The failed passwords of everybody, whichever store refused them. */
export const failures = countedFailures(
  createLoginFailures(
    dynamoCounterStore(documents, config.COUNTERS_TABLE),
    {
      perUser: config.LOGIN_FAILURES_PER_USER,
      perAddress: config.LOGIN_FAILURES_PER_ADDRESS,
      windowSeconds: config.LOGIN_FAILURE_WINDOW_SECONDS,
    },
    clock,
  ),
  promptEmfMetrics(`gatehouse-${config.STAGE}`),
)

/** HTTP Basic against a store. */
export function basicCheckOf(accounts: Accounts): (credentials: PasswordCredentials) => Promise<Principal> {
  return async (credentials) =>
    toPrincipal(await signIn({ accounts, failures, log }, credentials, 'Basic Authentication'))
}

function toPrincipal({ username, roles, authType, principalType }: Account): Principal {
  return { username, roles, authType, principalType }
}
