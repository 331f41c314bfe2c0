import { createHash } from 'node:crypto'
import { fail } from '../errors.ts'
import type { Clock } from '../platform/clock.ts'
import type { Ids } from '../platform/ids.ts'
import type { Log } from '../platform/log.ts'
import { type Audit, auditRefusal } from './audit.ts'
import type { WebhookEvent } from './event.ts'
import { nextRetryAt, type RetryPolicy } from './policy.ts'
import { type RetryQueue, scheduleRetry } from './schedule.ts'
import { type Blocked, type Effects, reasonOf, settle } from './settle.ts'
import type { Delivery, EventSource, Identity } from './source.ts'
import type { VerifiedBody } from './verify.ts'

export type Insertion =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'present'; readonly event: Pick<WebhookEvent, 'id' | 'payloadSha256' | 'status'> }

/** Where events are kept. */
export interface EventStore {
  /** Puts a new event and writes its effects, both or neither. @throws ServiceError `UNAVAILABLE` */
  insert(event: WebhookEvent, effects: Effects): Promise<Insertion | Blocked>
}

export interface InboxParts {
  readonly events: EventStore
  readonly queue: RetryQueue
  readonly policy: RetryPolicy
  readonly clock: Clock
  readonly ids: Ids
  readonly audit: Audit
  readonly log: Log
}

export type Acceptance = 'processed' | 'duplicate'

export interface Inbox {
  /**
   * Stores an event once and applies its effect in the same transaction (spec 3.1 and 4.2).
   * @throws ServiceError `VALIDATION_FAILED`, nothing stored; `PROCESSING_FAILED`, stored as FAILED with a retry to
   * come; `UNAVAILABLE`, nothing stored
   */
  accept(source: EventSource, delivery: Delivery): Promise<Acceptance>
}

export function createInbox({ events, queue, policy, clock, ids, audit, log }: InboxParts): Inbox {
  async function storeFailure(event: WebhookEvent, reason: string, cause: unknown): Promise<Acceptance> {
    const failed = asFailed(event, reason, nextRetryAt(event, clock.now(), policy))
    const insertion = await events.insert(failed, {})
    if (insertion.kind === 'present' && insertion.event.id !== event.id) return duplicate(event, insertion, audit, log)
    audit.decided('failed', failed)
    log.error('webhook handler failed', { source: event.source, eventId: event.eventId, cause })
    if (failed.nextRetryAt)
      await scheduleRetry(queue, log, failed, failed.nextRetryAt.getTime() - clock.now().getTime())
    throw fail('PROCESSING_FAILED', { reason })
  }

  return {
    async accept(source, delivery) {
      const { identity, plan } = auditRefusal(audit, source.name, () => source.read(delivery))
      const event = newEvent(source.name, identity, delivery, { id: ids.ordered(), receivedAt: clock.now() })
      try {
        let processed = event
        const insertion = await settle(event, plan(), log, (effects) => {
          processed = { ...event, outcome: effects.outcome }
          return events.insert(processed, effects)
        })
        if (insertion.kind === 'present' && insertion.event.id !== event.id)
          return duplicate(event, insertion, audit, log)
        audit.decided('processed', processed)
        return 'processed'
      } catch (error) {
        const reason = auditRefusal(audit, source.name, () => reasonOf(error))
        return storeFailure(event, reason, error)
      }
    },
  }
}

type Receipt = Pick<WebhookEvent, 'id' | 'receivedAt'>

function newEvent(
  source: string,
  identity: Identity,
  { body, headers }: Delivery,
  { id, receivedAt }: Receipt,
): WebhookEvent {
  const payloadSha256 = createHash('sha256').update(body).digest('hex')
  return {
    id,
    source,
    eventId: identity.eventId ?? fingerprint(source, body),
    eventType: identity.eventType,
    status: 'PROCESSED',
    receivedAt,
    processedAt: receivedAt,
    attempts: 0,
    dead: false,
    payload: body,
    payloadSha256,
    headers,
    history: [{ at: receivedAt, status: 'PROCESSED', by: 'intake' }],
  }
}

/** The id of an event whose sender gave it none: the same bytes are the same event. */
function fingerprint(source: string, body: VerifiedBody): string {
  return `sha256:${createHash('sha256').update(source).update('\0').update(body).digest('hex')}`
}

function asFailed(event: WebhookEvent, errorMessage: string, due: Date | undefined): WebhookEvent {
  return {
    ...event,
    status: 'FAILED',
    processedAt: undefined,
    outcome: undefined,
    errorMessage,
    nextRetryAt: due,
    dead: due === undefined,
    history: [{ at: event.receivedAt, status: 'FAILED', by: 'intake', error: errorMessage }],
  }
}

function duplicate(
  event: WebhookEvent,
  { event: stored }: Insertion & { kind: 'present' },
  audit: Audit,
  log: Log,
): Acceptance {
  audit.decided('duplicate', event)
  if (stored.payloadSha256 !== event.payloadSha256) {
    log.warn('another body under a known event id', { source: event.source, eventId: event.eventId })
  }
  return 'duplicate'
}
