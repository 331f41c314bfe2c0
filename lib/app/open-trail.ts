import { randomUUID } from 'node:crypto'
import { dynamoTrailHeads } from '../adapters/dynamodb/trail-heads.ts'
import { promptEmfMetrics } from '../adapters/emf/metrics.ts'
import { logsClient } from '../adapters/logs/client.ts'
import { logsTrailSink } from '../adapters/logs/trail-sink.ts'
import type { LoginTrail } from '../auth/login-trail.ts'
import { unavailable } from '../errors.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { memoizeAsync } from '../runtime/memoize-async.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { auditStoreSettings } from '../runtime/settings/stores.ts'
import type { Trail } from '../trail/entry.ts'
import { loginLines } from '../trail/login-lines.ts'
import { tellingFailures } from '../trail/telling-failures.ts'
import { createTrail } from '../trail/trail.ts'
import { auditKeys } from './audit-keys.ts'
import { documents } from './clients.ts'
import { clock, log } from './edge.ts'

interface OpenedTrail {
  readonly trail: Trail
  readonly logins: LoginTrail
}

const opened = memoizeAsync(() => connect())

/**
 * The trail of the process: one chain, whichever part of it writes. What cannot be recorded is logged and counted.
 * @throws ServiceError `UNAVAILABLE`, also for settings and secrets that are missing or wrong
 */
export async function openTrail(environment?: Environment): Promise<OpenedTrail> {
  try {
    return await (environment === undefined ? opened() : connect(environment))
  } catch (cause) {
    log.error('the audit trail cannot be opened', { cause })
    metricsOf(environment).count('AuditFailed')
    throw unavailable(cause)
  }
}

async function connect(environment?: Environment): Promise<OpenedTrail> {
  const config = loadConfig(auditStoreSettings, [], environment)
  const keys = await auditKeys(environment)
  const chained = createTrail({
    sink: logsTrailSink(logsClient(), config.AUDIT_LOG_GROUP),
    heads: dynamoTrailHeads(documents(), config.AUDIT_TABLE),
    keys,
    clock,
    newChain: randomUUID,
  })
  const trail = tellingFailures(chained, { log, metrics: metricsOf(environment) })
  return { trail, logins: loginLines(trail, keys) }
}

function metricsOf(environment?: Environment) {
  const { STAGE } = loadConfig({ STAGE: edgeSettings.STAGE }, [], environment)
  return promptEmfMetrics(`gatehouse-${STAGE}`)
}
