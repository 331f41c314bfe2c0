import type { Environment } from '../runtime/config.ts'
import { type Current, derived } from '../runtime/current.ts'
import { auditKeySettings, strongAuditKeysDeployed } from '../runtime/settings/audit.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import type { RingKey } from '../runtime/settings/key-ring.ts'
import { secretConfig } from './secrets.ts'

/** The key ring of the audit trail. @throws ConfigError; ServiceError `UNAVAILABLE` */
export async function auditKeys(environment?: Environment): Promise<Current<readonly RingKey[]>> {
  const settings = { STAGE: edgeSettings.STAGE, ...auditKeySettings }
  const config = await secretConfig('audit', settings, [strongAuditKeysDeployed], environment)
  return derived(config, ({ AUDIT_KEYS }) => AUDIT_KEYS)
}
