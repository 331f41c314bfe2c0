import { type ErrorCode, ServiceError } from '../errors.ts'
import type { Log } from '../runtime/log.ts'
import type { EventKey } from './event.ts'
import type { RefusalReason } from './verify.ts'

/** The decisions on a webhook. */
export type AuditDecision =
  | 'received'
  | 'refused'
  | 'duplicate'
  | 'processed'
  | 'failed'
  | 'retried'
  | 'postponed'
  | 'stopped'
  | 'dropped'
  | 'dead'
  | 'replayed'

/** Why a call was refused: a closed set, only for the log and the metrics. */
export type AuditReason = RefusalReason | 'rate-limited' | 'too-large' | 'encoded' | 'invalid-payload'

/** The facts that a log line may hold about a decision. Of the sender's data it holds only names. */
export interface AuditFacts extends Pick<EventKey, 'source'> {
  readonly eventId?: string | undefined
  readonly eventType?: string | undefined
  readonly outcome?: string | undefined
  readonly reason?: AuditReason | undefined
  /** The number of runs that the hint of a retry saw. */
  readonly n?: number | undefined
}

/** Receives each decision on a webhook once. */
export interface Audit {
  decided(decision: AuditDecision, about: AuditFacts): void
}

/** Writes one log line per decision, with the declared facts only. */
export function logAudit(log: Log): Audit {
  return {
    decided(decision, { source, eventId, eventType, outcome, reason, n }) {
      const level = decision === 'refused' ? 'warn' : 'info'
      log[level]('audit', { decision, source, eventId, eventType, outcome, reason, n })
    },
  }
}

/** The failures that refuse a call because of its content, before anything is stored. */
const REASONS: Readonly<Partial<Record<ErrorCode, AuditReason>>> = {
  PAYLOAD_TOO_LARGE: 'too-large',
  MEDIA_TYPE_UNSUPPORTED: 'encoded',
  VALIDATION_FAILED: 'invalid-payload',
}

/**
 * Runs one step of the intake and audits the refusal if the step refuses the call.
 * @throws what the step throws
 */
export function auditRefusal<T>(audit: Audit, source: string, step: () => T): T {
  try {
    return step()
  } catch (error) {
    const code: ErrorCode = error instanceof ServiceError ? error.code : 'UNEXPECTED'
    const reason = REASONS[code]
    if (reason) audit.decided('refused', { source, reason })
    throw error
  }
}
