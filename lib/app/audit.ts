import { logAudit } from '../webhooks/audit.ts'
import { log } from './edge.ts'

/** Where every decision on a webhook is told. */
export const audit = logAudit(log)
