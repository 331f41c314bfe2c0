import { onSchedule } from '../../lib/app/invocations.ts'
import { makeScan } from '../../lib/app/jobs.ts'

export function start() {
  const { conclude, scanAll } = makeScan()
  return onSchedule(conclude, scanAll)
}
