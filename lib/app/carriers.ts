import type { Carrier } from '../deliver/carrier.ts'
import type { Destination } from '../deliver/destination.ts'
import { deliverySecretsGiven } from '../deliver/given-secrets.ts'
import type { Environment } from '../runtime/config.ts'
import { deliverySecretSettings } from '../runtime/settings/deliveries.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { clock, secretCache } from './edge.ts'
import { secretConfig } from './secrets.ts'

/**
 * What takes events to a destination. Each kind is loaded only where it is used.
 * @throws ConfigError; ServiceError `UNAVAILABLE`
 */
export async function carrierOf(
  { target, ...route }: Destination,
  stage: string,
  environment?: Environment,
): Promise<Carrier> {
  switch (target.to) {
    case 'http': {
      const { httpCarrier } = await import('../adapters/http/carrier.ts')
      const secrets = await deliverySecrets({ target, ...route }, environment)
      const known = { ...route, target, isLocal: stage === 'local' }
      return httpCarrier({
        route: known,
        async secrets() {
          await secretCache().refresh()
          return secrets.current.DELIVERY_SECRETS
        },
        clock,
      })
    }
    case 'sqs': {
      const { sqsCarrier } = await import('../adapters/sqs/carrier.ts')
      return sqsCarrier({ ...route, target })
    }
    case 'eventbridge': {
      const { eventBridgeCarrier } = await import('../adapters/eventbridge/carrier.ts')
      return eventBridgeCarrier({ ...route, target })
    }
  }
}

/** The secrets of deliveries; those of the destination are there and readable. */
function deliverySecrets(destination: Destination, environment?: Environment) {
  const settings = { STAGE: edgeSettings.STAGE, ...deliverySecretSettings }
  return secretConfig('deliveries', settings, [deliverySecretsGiven([destination])], environment)
}
