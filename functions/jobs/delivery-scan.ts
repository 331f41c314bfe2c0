import { makeDeliveryScan } from '../../lib/app/deliveries.ts'
import { onSchedule } from '../../lib/app/invocations.ts'
import { scanDeliveries } from '../../lib/deliver/scan.ts'

export function start() {
  const { conclude, parts } = makeDeliveryScan()
  return onSchedule(conclude, (deadline) => scanDeliveries(parts, deadline))
}
