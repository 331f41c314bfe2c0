import type { Counter, Metrics } from '../runtime/metrics.ts'
import type { Audit, AuditDecision } from './audit.ts'

/** Where decisions are made: at the intake, or when the queue wakes a worker up. */
export type DecisionPlace = 'intake' | 'worker'

const both = (counter: Counter) => ({ intake: counter, worker: counter })

/** What each decision counts as; some are of no interest as a number. */
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
}

/** Names that are counted by themselves: any other was chosen by a caller, and counts as `other`. */
export type Names = Pick<ReadonlySet<string>, 'has'>

/** For what happens to stored events alone: whoever sent one had a secret. */
export const EVERY_NAME: Names = { has: () => true }

/** Counts what is audited. */
export function countingAudit(audit: Audit, metrics: Metrics, place: DecisionPlace, sources: Names): Audit {
  return {
    decided(decision, about) {
      audit.decided(decision, about)
      const counter = COUNTERS[decision][place]
      const source = sources.has(about.source) ? about.source : 'other'
      if (counter) metrics.count(counter, { source, ...(about.reason && { reason: about.reason }) })
    },
  }
}
