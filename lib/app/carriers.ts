import { join } from 'node:path'
import type { Carrier } from '../deliver/carrier.ts'
import type { Destination } from '../deliver/destination.ts'
import { deliverySecretsGiven, secretOf } from '../deliver/given-secrets.ts'
import { HANDLERS } from '../deliver/handler-file.ts'
import type { DeliverySecrets } from '../deliver/http-headers.ts'
import { clock } from './edge.ts'
import { deliverySecrets } from './secrets.ts'

/**
 * What takes events to a destination. Each kind is loaded only where it is used.
 * @throws ConfigError; ServiceError `UNAVAILABLE`
 */
export async function carrierOf({ target, ...route }: Destination, stage: string): Promise<Carrier> {
  switch (target.to) {
    case 'http': {
      const { httpCarrier } = await import('../adapters/http/carrier.ts')
      const known = { ...route, target, isLocal: stage === 'local' }
      return httpCarrier({ route: known, secrets: await secretsOf({ target, ...route }), clock })
    }
    case 'sqs': {
      const { sqsCarrier } = await import('../adapters/sqs/carrier.ts')
      return sqsCarrier({ ...route, target })
    }
    case 'eventbridge': {
      const { eventBridgeCarrier } = await import('../adapters/eventbridge/carrier.ts')
      return eventBridgeCarrier({ ...route, target })
    }
    case 'handler': {
      const { handlerCarrier } = await import('../adapters/process/carrier.ts')
      return handlerCarrier({
        route: { ...route, target, isLocal: stage === 'local' },
        file: bundleOf(target.path),
        secrets: await secretsOf({ target, ...route }),
        clock,
      })
    }
  }
}

/** As the build lays it beside the bundle of this file, in `jobs/deliver`. */
function bundleOf(handler: string): string {
  return join(import.meta.dirname, '../..', HANDLERS, handler, 'index.mjs')
}

/** Those of the destination are there and readable. */
async function secretsOf(destination: Destination): Promise<() => Promise<DeliverySecrets>> {
  const name = secretOf(destination)
  return name === undefined ? async () => new Map() : deliverySecrets(name, [deliverySecretsGiven([destination])])
}
