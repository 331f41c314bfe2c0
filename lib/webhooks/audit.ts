import type { REFUSAL_REASONS } from '../contract/requests/refusals.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import type { Log } from '../runtime/log.ts'
import type { Counter, Metrics } from '../runtime/metrics.ts'
import type { EventKey } from './event.ts'
import { type Sender, WebhookRefused } from './refusals/refusal.ts'
import { plainType } from './retention/plain-type.ts'

/** The decisions on a webhook, and those of operators on a destination. */
export type AuditDecision =
  | 'received'
  | 'refused'
  | 'duplicate'
  | 'held'
  | 'released'
  | 'processed'
  | 'failed'
  | 'retried'
  | 'postponed'
  | 'stopped'
  | 'dropped'
  | 'dead'
  | 'replayed'
  | 'enabled'
  | 'disabled'
  | 'redelivered'
  | 'read'
  | 'payload-deleted'

/** Why a call was refused: a closed set, for the log, the metrics and the operators, never for the caller. */
export type AuditReason = (typeof REFUSAL_REASONS)[number]

/** The facts that a log line may hold about a decision. Of the sender's data it holds only names. */
export interface AuditFacts {
  /** Absent if the decision is on a destination. */
  readonly source?: string | undefined
  readonly eventId?: string | undefined
  readonly eventType?: string | undefined
  readonly outcome?: string | undefined
  readonly reason?: AuditReason | undefined
  /** The number of runs that the hint of a retry saw. */
  readonly n?: number | undefined
  readonly destination?: string | undefined
  /** The operator who decided, and why. */
  readonly user?: string | undefined
  readonly note?: string | undefined
}

/** Receives each decision on a webhook once. */
export interface Audit {
  decided(decision: AuditDecision, about: AuditFacts): void
}

/** Writes one log line per decision, with the declared facts only. */
export function logAudit(log: Log): Audit {
  return {
    decided(decision, { source, eventId, eventType, outcome, reason, n, destination, user, note }) {
      const level = decision === 'refused' ? 'warn' : 'info'
      const type = eventType === undefined ? undefined : plainType(eventType)
      log[level]('audit', { decision, source, eventId, eventType: type, outcome, reason, n, destination, user, note })
    },
  }
}

/** Audits who read the payload of an event. */
export function auditRead(audit: Audit, { source, eventId }: EventKey, user: string): void {
  audit.decided('read', { source, eventId, user })
}

/** The failures that refuse a call because of its content, before anything is stored. */
const REASONS: Readonly<Partial<Record<ErrorCode, AuditReason>>> = {
  PAYLOAD_TOO_LARGE: 'too-large',
  CODING_UNSUPPORTED: 'encoded',
  VALIDATION_FAILED: 'invalid-payload',
}

/**
 * Runs one step of the intake and audits the refusal if the step refuses the call.
 * @throws WebhookRefused in place of the refusal; what else the step throws
 */
export function auditRefusal<G extends readonly unknown[], T>(
  audit: Audit,
  sender: Sender,
  step: (...given: G) => T,
  ...given: G
): T {
  try {
    return step(...given)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const reason = REASONS[error.code as ErrorCode]
    if (reason) refuseCall(audit, sender, reason, error)
    throw error
  }
}

/** Audits the refusal of a call. @throws WebhookRefused */
export function refuseCall(audit: Audit, sender: Sender, reason: AuditReason, error: ServiceError): never {
  audit.decided('refused', { source: sender.name, reason })
  throw new WebhookRefused(error, sender, reason)
}

/** Where a decision is made: at the intake, or in a worker that a queue message started. */
export type DecisionPlace = 'intake' | 'worker'

const both = (counter: Counter) => ({ intake: ['Accepted', counter], worker: [counter] }) as const

/** The counters of each decision; some decisions have none. */
const COUNTERS: Readonly<Record<AuditDecision, Partial<Record<DecisionPlace, readonly Counter[]>>>> = {
  received: { intake: ['Accepted'] },
  processed: { intake: ['Accepted'], worker: ['Processed'] },
  duplicate: { intake: ['Duplicate'] },
  held: both('Held'),
  released: {},
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
