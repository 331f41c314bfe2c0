import { env } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { documentClient } from '../../lib/adapters/dynamodb/client.ts'
import { logsClient } from '../../lib/adapters/logs/client.ts'
import { everyLine } from '../../lib/adapters/logs/trail-reader.ts'
import { auditKeys } from '../../lib/app/audit-keys.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { auditKeySettings } from '../../lib/runtime/settings/audit.ts'
import { readTrailHeads } from './heads.ts'
import type { StoredTrail } from './local.ts'
import type { StagePlace } from './options.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** CloudWatch Logs shows a line some seconds after it took it; the heads are read before that. */
const PATIENCE_MS = 15_000

/** The trail of a deployed stage. @throws ConfigError */
export function stageTrail({ name, logGroup, table, days }: StagePlace): StoredTrail {
  const horizon = new Date(Date.now() - days * DAY_MS)
  return {
    horizon,
    async keys() {
      if (env['AUDIT_KEYS']) return loadConfig(auditKeySettings).AUDIT_KEYS
      const prefix = env['SECRETS_PREFIX'] || `gatehouse/${name}`
      return (await auditKeys({ ...env, STAGE: name, SECRETS_PREFIX: prefix })).current
    },
    async heads() {
      const known = await readTrailHeads(documentClient(), table)
      await setTimeout(PATIENCE_MS)
      return known
    },
    lines: () => everyLine(logsClient(), logGroup),
  }
}
