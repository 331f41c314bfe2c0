import { type ErrorCode, ServiceError } from '../../errors.ts'
import type { AuditReason } from '../audit.ts'
import type { EventSource } from '../source.ts'

/** Whose call it is, and how that source proves its calls. */
export type Sender = Pick<EventSource, 'name' | 'scheme' | 'lateSeconds' | 'keptHeaders'>

/** The refusal of a call by the intake: for the caller the error itself, for operators also the sender and the cause. */
export class WebhookRefused<C extends ErrorCode = ErrorCode> extends ServiceError<C> {
  readonly sender: Sender
  readonly reason: AuditReason

  constructor({ code, details, cause }: ServiceError<C>, sender: Sender, reason: AuditReason) {
    super(code, details, { cause })
    this.sender = sender
    this.reason = reason
  }
}
