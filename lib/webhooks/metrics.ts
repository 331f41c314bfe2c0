import type { Counter, Metrics } from '../runtime/metrics.ts'
import type { Audit, AuditDecision } from './audit.ts'

/** Where a decision is made: at the intake, or in a worker that a queue message started. */
export type DecisionPlace = 'intake' | 'worker'

const both = (counter: Counter) => ({ intake: ['Accepted', counter], worker: [counter] }) as const

/** The counters of each decision; some decisions have none. */
const COUNTERS: Readonly<Record<AuditDecision, Partial<Record<DecisionPlace, readonly Counter[]>>>> = {
  received: { intake: ['Accepted'] },
  processed: { intake: ['Accepted'], worker: ['Processed'] },
  duplicate: { intake: ['Duplicate'] },
  refused: { intake: ['Refused'] },
  failed: both('Failed'),
  retried: { worker: ['Retried'] },
  postponed: {},
  stopped: { worker: ['LoopStopped'] },
  dropped: {},
  dead: both('Dead'),
  replayed: { intake: ['Replayed'], worker: ['Replayed'] },
  enabled: {},
  disabled: {},
  redelivered: {},
  read: {},
  'payload-deleted': {},
}

/** Each source adds a metric that costs money. The log has the source of the other counters. */
const BY_SOURCE: ReadonlySet<Counter> = new Set(['Accepted', 'Refused'])

/** Names with a count of their own. Any other name was chosen by a caller and counts as `other`. */
export type Names = Pick<ReadonlySet<string>, 'has'>

const NONE: Names = new Set()

/**
 * Counts each audited decision; accepted and refused calls also by their source.
 * @param sources the names that the intake distinguishes
 */
export function countingAudit(audit: Audit, metrics: Metrics, place: DecisionPlace, sources: Names = NONE): Audit {
  return {
    decided(decision, about) {
      audit.decided(decision, about)
      const source = about.source !== undefined && sources.has(about.source) ? about.source : 'other'
      for (const counter of COUNTERS[decision][place] ?? [])
        metrics.count(counter, BY_SOURCE.has(counter) ? { source, ...(about.reason && { reason: about.reason }) } : {})
    },
  }
}
