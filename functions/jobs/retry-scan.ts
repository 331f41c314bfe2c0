import { onSchedule } from '../../lib/app/invocations.ts'
import { makeScan } from '../../lib/app/jobs.ts'

export async function start() {
  const { conclude, scanAll } = await makeScan()
  return onSchedule(conclude, scanAll)
}
