import { logsClient } from '../adapters/logs/client.ts'
import { logsTrailReader } from '../adapters/logs/trail-reader.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { auditStoreSettings } from '../runtime/settings/stores.ts'
import { makeApi } from './api.ts'
import { auditKeys } from './audit-keys.ts'

const { AUDIT_LOG_GROUP } = auditStoreSettings

/** For admins who look at the audit trail. */
export async function makeTrailList(environment?: Environment) {
  const config = loadConfig({ AUDIT_LOG_GROUP }, [], environment)
  return {
    ...(await makeApi(environment)),
    reader: logsTrailReader(logsClient(), config.AUDIT_LOG_GROUP),
    keys: await auditKeys(environment),
  }
}
