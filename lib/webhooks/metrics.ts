import type { Counter, Metrics } from '../runtime/metrics.ts'
import type { Audit, AuditDecision } from './audit.ts'

/** Where a decision is made: at the intake, or in a worker that a queue message started. */
export type DecisionPlace = 'intake' | 'worker'

const both = (counter: Counter) => ({ intake: counter, worker: counter })

/** The counter of each decision; some decisions have none. */
const COUNTERS: Readonly<Record<AuditDecision, Partial<Record<DecisionPlace, Counter>>>> = {
  received: { intake: 'Accepted' },
  processed: { intake: 'Accepted', worker: 'Processed' },
  duplicate: { intake: 'Duplicate' },
  refused: { intake: 'Refused' },
  failed: both('Failed'),
  retried: { worker: 'Retried' },
  postponed: {},
  stopped: { worker: 'LoopStopped' },
  dropped: {},
  dead: both('Dead'),
  replayed: both('Replayed'),
  enabled: {},
  disabled: {},
  redelivered: {},
  read: {},
  'payload-deleted': {},
}

/** Names with a count of their own. Any other name was chosen by a caller and counts as `other`. */
export type Names = Pick<ReadonlySet<string>, 'has'>

/** Only for decisions on stored events: their senders had a secret, so callers cannot make these names up. */
export const EVERY_NAME: Names = { has: () => true }

/** Counts each audited decision. */
export function countingAudit(audit: Audit, metrics: Metrics, place: DecisionPlace, sources: Names): Audit {
  return {
    decided(decision, about) {
      audit.decided(decision, about)
      const counter = COUNTERS[decision][place]
      const source = about.source !== undefined && sources.has(about.source) ? about.source : 'other'
      if (counter) metrics.count(counter, { source, ...(about.reason && { reason: about.reason }) })
    },
  }
}
