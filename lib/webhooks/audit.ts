import type { REFUSAL_REASONS } from '../contract/requests/refusals.ts'
import { type ErrorCode, ServiceError } from '../errors.ts'
import type { Log } from '../runtime/log.ts'
import type { Counter, Metrics } from '../runtime/metrics.ts'
import type { Current } from '../runtime/secrets.ts'
import type { EventKey } from './event.ts'
import { type Sender, WebhookRefused } from './refusals/refusal.ts'

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

/** The type of an event whose own type is not kept. */
const NO_TYPE = 'UNKNOWN'

/** A type that is a name. Other types may be any text that the sender chose, such as an address. */
const NAME = /^[\w.:/+-]{1,128}$/

/** The type of an event in a form that may be kept without its payload. */
export function plainType(eventType: string): string {
  return NAME.test(eventType) ? eventType : NO_TYPE
}

const FACTS = ['source', 'eventId', 'eventType', 'outcome', 'reason', 'n', 'destination', 'user', 'note'] as const

/** Writes one log line per decision, with the declared facts only. */
export function logAudit(log: Log): Audit {
  return {
    decided(decision, about) {
      const level = decision === 'refused' ? 'warn' : 'info'
      const facts = Object.fromEntries(FACTS.map((name) => [name, about[name]]))
      if (about.eventType !== undefined) facts['eventType'] = plainType(about.eventType)
      log[level]('audit', { decision, ...facts })
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

/** What to throw for a failure of the intake: the audited refusal of a call because of its content, anything else as it is. */
export function refusalIn(error: unknown, audit: Audit, sender: Sender): unknown {
  if (!(error instanceof ServiceError) || error instanceof WebhookRefused) return error
  const reason = REASONS[error.code as ErrorCode]
  return reason === undefined ? error : refusedCall(audit, sender, reason, error)
}

/** Audits the refusal of a call. @returns what to throw */
export function refusedCall(audit: Audit, sender: Sender, reason: AuditReason, error: ServiceError): WebhookRefused {
  audit.decided('refused', { source: sender.name, reason })
  return new WebhookRefused(error, sender, reason)
}

/** Where a decision is made: at the intake, or in a worker that a queue message started. */
export type DecisionPlace = 'intake' | 'worker'

const both = (counter: Counter) => ({ intake: ['Accepted', counter], worker: [counter] }) as const

/** The counters of each decision that has some. */
const COUNTERS: Readonly<Partial<Record<AuditDecision, Partial<Record<DecisionPlace, readonly Counter[]>>>>> = {
  received: { intake: ['Accepted'] },
  processed: { intake: ['Accepted'], worker: ['Processed'] },
  duplicate: { intake: ['Duplicate'] },
  held: both('Held'),
  refused: { intake: ['Refused'] },
  failed: both('Failed'),
  retried: { worker: ['Retried'] },
  stopped: { worker: ['LoopStopped'] },
  dead: both('Dead'),
  replayed: { intake: ['Replayed'], worker: ['Replayed'] },
}

/** Each source adds a metric that costs money. The log has the source of the other counters. */
const BY_SOURCE: readonly Counter[] = ['Accepted', 'Refused']

/** The names of sources that callers cannot invent: those with a secret. */
export type Names = Current<Pick<ReadonlySet<string>, 'has'>>

/**
 * Counts each audited decision; accepted and refused calls also by their source.
 * @param sources those with a count of their own; any other counts as `other`
 */
export function countingAudit(audit: Audit, metrics: Metrics, place: DecisionPlace, sources?: Names): Audit {
  return {
    decided(decision, about) {
      audit.decided(decision, about)
      const source = about.source !== undefined && sources?.current.has(about.source) ? about.source : 'other'
      for (const counter of COUNTERS[decision]?.[place] ?? [])
        metrics.count(
          counter,
          BY_SOURCE.includes(counter) ? { source, ...(about.reason && { reason: about.reason }) } : {},
        )
    },
  }
}
