import { makeDeliveries } from '../../lib/app/deliveries.ts'
import { onMessages } from '../../lib/app/invocations.ts'

export function start() {
  const { conclude, deliveries } = makeDeliveries()
  return onMessages(conclude, (body) => deliveries.receive(body))
}
