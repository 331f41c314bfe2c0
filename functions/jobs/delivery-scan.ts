import { makeDeliveryScan } from '../../lib/app/deliveries.ts'
import { onSchedule } from '../../lib/app/invocations.ts'
import { scanDeliveries } from '../../lib/deliver/scan.ts'

export async function start() {
  const { conclude, parts } = await makeDeliveryScan()
  return onSchedule(conclude, (deadline) => scanDeliveries(parts, deadline))
}
