import { makeDeliveryScan } from '../../lib/app/deliveries.ts'
import { onSchedule } from '../../lib/app/invocations.ts'
import { scanDeliveries } from '../../lib/deliver/scan.ts'

const { conclude, parts } = makeDeliveryScan()

export const handler = onSchedule(conclude, (deadline) => scanDeliveries(parts, deadline))
