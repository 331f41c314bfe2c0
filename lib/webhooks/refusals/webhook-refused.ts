import { type ErrorCode, ServiceError } from '../../errors.ts'
import type { AuditReason } from '../audit.ts'
import type { EventSource } from '../source.ts'

/** Whose call it is, and how that source proves its calls. */
export type Sender = Pick<EventSource, 'name' | 'scheme' | 'lateSeconds' | 'keptHeaders'>

/** The refusal of a call by the intake: to the caller the error that it is made of, to operators also who and why. */
export class WebhookRefused<C extends ErrorCode = ErrorCode> extends ServiceError<C> {
  readonly sender: Sender
  readonly reason: AuditReason

  constructor({ code, details, cause }: ServiceError<C>, sender: Sender, reason: AuditReason) {
    super(code, details, { cause })
    this.sender = sender
    this.reason = reason
  }
}
