import { type Documents, documentClient } from '../adapters/dynamodb/table.ts'
import { dynamoNameKey, dynamoTrailStore } from '../adapters/dynamodb/trail.ts'
import type { LoginTrail } from '../auth/login-attempts.ts'
import { PROFILES } from '../auth/profile.ts'
import { loadConfig, optional, text } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { loginSettings } from '../runtime/settings/login.ts'
import type * as settings from '../runtime/settings/stores.ts'
import { auditStoreSettings, countersStoreSettings } from '../runtime/settings/stores.ts'
import { createTrail, loginRows, type Trail } from '../trail/trail.ts'
import { clock, log } from './edge.ts'

let opened: Documents | undefined

/** The DynamoDB client of the process: all stores share its connections. */
export function documents(): Documents {
  opened ??= documentClient()
  return opened
}

type TableName = Extract<
  { [K in keyof typeof settings]: keyof (typeof settings)[K] }[keyof typeof settings],
  `${string}_TABLE`
>

/** The name of a table, as the stage has it. @throws ConfigError */
export function tableOf(name: TableName): string {
  return loadConfig({ [name]: text })[name] ?? ''
}

/**
 * The stores of passwords that are asked, in this order: profile `default` uses a directory if one is configured; profile
 * `ldap` requires one. @throws ConfigError
 */
export function passwordStores(): readonly ('database' | 'directory')[] {
  const config = loadConfig({ PROFILE: edgeSettings.PROFILE, LDAP_URL: optional(text) })
  const hasDirectory = config.LDAP_URL !== undefined || config.PROFILE === 'ldap'
  return PROFILES[config.PROFILE].stores.filter((name) => name === 'database' || hasDirectory)
}

/** The audit trail, for what adds to it. @throws ConfigError */
export function trailOf(): Trail {
  const { AUDIT_TABLE, AUDIT_DAYS } = loadConfig(auditStoreSettings)
  const store = dynamoTrailStore(documents(), AUDIT_TABLE)
  return createTrail({ store, days: AUDIT_DAYS, clock, ids: clockIds(clock), log })
}

/** The same for logins. @throws ConfigError */
export function loginTrailOf(): LoginTrail {
  const config = loadConfig({ ...loginSettings, ...countersStoreSettings })
  const nameKey = dynamoNameKey(documents(), config.COUNTERS_TABLE)
  return loginRows(trailOf(), { nameKey, windowSeconds: config.LOGIN_FAILURE_WINDOW_SECONDS, clock, log })
}
