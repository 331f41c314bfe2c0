import { type ErrorCode, ServiceError } from '../errors.ts'
import type { Log } from '../runtime/log.ts'
import type { EventKey } from './event.ts'
import type { RefusalReason } from './verify.ts'

/** What can be decided about a webhook. */
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

/** Why a call was refused: a closed set, for the log and the metrics alone. */
export type AuditReason = RefusalReason | 'rate-limited' | 'too-large' | 'encoded' | 'invalid-payload'

/** What may be said of a decision; nothing that a sender wrote but its names for things. */
export interface AuditFacts extends Pick<EventKey, 'source'> {
  readonly eventId?: string | undefined
  readonly eventType?: string | undefined
  readonly outcome?: string | undefined
  readonly reason?: AuditReason | undefined
  /** The number of attempts that a retry's hint saw. */
  readonly n?: number | undefined
}

/** Told of each decision on a webhook, once. */
export interface Audit {
  decided(decision: AuditDecision, about: AuditFacts): void
}

/** One line for each decision; of what is handed over only the declared facts are written. */
export function logAudit(log: Log): Audit {
  return {
    decided(decision, { source, eventId, eventType, outcome, reason, n }) {
      const level = decision === 'refused' ? 'warn' : 'info'
      log[level]('audit', { decision, source, eventId, eventType, outcome, reason, n })
    },
  }
}

/** The failures that refuse what a call carries, before anything is stored. */
const REASONS: Readonly<Partial<Record<ErrorCode, AuditReason>>> = {
  PAYLOAD_TOO_LARGE: 'too-large',
  MEDIA_TYPE_UNSUPPORTED: 'encoded',
  VALIDATION_FAILED: 'invalid-payload',
}

/**
 * Takes one step of the intake; when that refuses the call, it is audited.
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
