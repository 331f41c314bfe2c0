import { makeDeliveries } from '../../lib/app/deliveries.ts'
import { onMessages } from '../../lib/app/invocations.ts'

export async function start() {
  const { conclude, deliveries } = await makeDeliveries()
  return onMessages(conclude, (body) => deliveries.receive(body))
}
