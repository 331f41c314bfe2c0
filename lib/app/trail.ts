import { dynamoNameKey, dynamoTrailStore } from '../adapters/dynamodb/trail.ts'
import type { LoginTrail } from '../auth/login-attempts.ts'
import { loadConfig } from '../runtime/config.ts'
import { clockIds } from '../runtime/ids.ts'
import { loginSettings } from '../runtime/settings/login.ts'
import { auditStoreSettings, countersStoreSettings } from '../runtime/settings/stores.ts'
import { createTrail, loginRows, type Trail } from '../trail/trail.ts'
import { clock, log } from './edge.ts'
import { documents } from './stores.ts'

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
