import { onSchedule } from '../../lib/app/invocations.ts'
import { makeScan } from '../../lib/app/jobs.ts'

const { conclude, scanAll } = makeScan()

export const handler = onSchedule(conclude, scanAll)
