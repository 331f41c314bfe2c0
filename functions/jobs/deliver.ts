import { makeDeliveries } from '../../lib/app/deliveries.ts'
import { onMessages } from '../../lib/app/invocations.ts'

const { conclude, deliveries } = makeDeliveries()

export const handler = onMessages(conclude, (body) => deliveries.receive(body))
