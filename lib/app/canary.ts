import { emfMetrics } from '../adapters/emf/metrics.ts'
import { canaryAddress } from '../adapters/http/canary-address.ts'
import { type Environment, loadConfig } from '../runtime/config.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { type CanaryResult, createCanary } from '../webhooks/canary/canary.ts'
import { CANARY } from '../webhooks/canary/name.ts'
import { clock, log, secretCache } from './edge.ts'
import { webhookSecrets } from './webhook-secrets.ts'

/** The job that sends a webhook to the service's own public address. @throws ConfigError; ServiceError `UNAVAILABLE` */
export async function makeCanary(environment?: Environment) {
  const { STAGE, BASE_URL } = loadConfig(
    { STAGE: edgeSettings.STAGE, BASE_URL: edgeSettings.BASE_URL },
    [],
    environment,
  )
  const metrics = emfMetrics(`gatehouse-${STAGE}`)
  const send = createCanary({
    address: canaryAddress(new URL(`/webhooks/${CANARY}`, BASE_URL), STAGE === 'local'),
    secrets: await webhookSecrets(undefined, environment),
    clock,
    metrics,
    log,
  })

  return async (): Promise<CanaryResult> => {
    await secretCache().refresh()
    return send().finally(() => metrics.publish())
  }
}
