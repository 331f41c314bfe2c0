import { createHash } from 'node:crypto'
import { fail } from '../errors.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import { applyEffects, type Conflict, type Effects, planOf, reasonOf } from './apply.ts'
import { type Audit, auditRefusal } from './audit.ts'
import type { WebhookEvent } from './event.ts'
import { type EventIdentity, fingerprint } from './identity.ts'
import { nextRetryAt, type RetryPolicy } from './retry/policy.ts'
import { type RetryQueue, scheduleRetry } from './retry/queue.ts'
import type { EventSource, VerifiedCall } from './source.ts'

export type InsertResult =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'present'; readonly event: Pick<WebhookEvent, 'id' | 'payloadSha256' | 'status'> }
  /** The same body is stored under the event id given here. */
  | { readonly kind: 'repeated'; readonly eventId: string }

/** What makes an event new: its id (the default), or its id and its body if no signature covers the id. */
export type DedupKey = 'id' | 'id-and-body'

/** Stores events. */
export interface EventStore {
  /**
   * Stores a new event and writes its effects, both or neither. If several conflicts block the write, it reports the
   * event's own row first, then its body, then the conflict of the effects.
   * @throws ServiceError `UNAVAILABLE`
   */
  insert(event: WebhookEvent, effects: Effects, dedupKey?: DedupKey): Promise<InsertResult | Conflict>
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

export type Acceptance = 'processed' | 'received' | 'duplicate'

export interface Inbox {
  /**
   * Stores an event once. Effects that are rows are applied in the same transaction (spec 3.1 and 4.2); events that are
   * handed over are run from the queue.
   * @throws ServiceError `VALIDATION_FAILED`, nothing stored; `PROCESSING_FAILED`, stored as FAILED with a retry to
   * come; `UNAVAILABLE`, nothing stored
   */
  accept(source: EventSource, delivery: VerifiedCall): Promise<Acceptance>
}

/** An event that is not stored yet. */
interface Arrival {
  readonly event: WebhookEvent
  readonly dedupKey: DedupKey
}

export function createInbox({ events, queue, policy, clock, ids, audit, log }: InboxParts): Inbox {
  async function storeFailure({ event, dedupKey }: Arrival, reason: string, cause: unknown): Promise<Acceptance> {
    const failed = asFailed(event, reason, nextRetryAt(event, clock.now(), policy))
    const insertion = await events.insert(failed, {}, dedupKey)
    if (!isOwn(insertion, event)) return duplicate(event, insertion, audit, log)
    audit.decided('failed', failed)
    log.error('webhook handler failed', { source: event.source, eventId: event.eventId, cause })
    if (failed.nextRetryAt)
      await scheduleRetry(queue, log, failed, failed.nextRetryAt.getTime() - clock.now().getTime())
    throw fail('PROCESSING_FAILED', { reason })
  }

  async function handOver({ event, dedupKey }: Arrival): Promise<Acceptance> {
    const received = asReceived(event)
    const insertion = await events.insert(received, {}, dedupKey)
    if (!isOwn(insertion, event)) return duplicate(event, insertion, audit, log)
    audit.decided('received', received)
    await scheduleRetry(queue, log, received, 0)
    return 'received'
  }

  return {
    async accept(source, delivery) {
      const reading = auditRefusal(audit, source.name, () => source.read(delivery))
      const { identity, isHandedOver } = reading
      const event = newEvent(source.name, identity, delivery, { id: ids.ordered(), receivedAt: clock.now() })
      const dedupKey = identity.isIdSigned === false ? 'id-and-body' : 'id'
      if (isHandedOver) return handOver({ event, dedupKey })
      try {
        let processed = event
        const insertion = await applyEffects(event, planOf(reading), log, (effects) => {
          processed = { ...event, outcome: effects.outcome }
          return events.insert(processed, effects, dedupKey)
        })
        if (!isOwn(insertion, event)) return duplicate(event, insertion, audit, log)
        audit.decided('processed', processed)
        return 'processed'
      } catch (error) {
        return storeFailure({ event, dedupKey }, reasonOf(error), error)
      }
    },
  }
}

type Receipt = Pick<WebhookEvent, 'id' | 'receivedAt'>

function newEvent(
  source: string,
  identity: EventIdentity,
  { body, headers }: VerifiedCall,
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

function asReceived(event: WebhookEvent): WebhookEvent {
  return {
    ...event,
    status: 'RECEIVED',
    processedAt: undefined,
    history: [{ at: event.receivedAt, status: 'RECEIVED', by: 'intake' }],
  }
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

type StoreResult = InsertResult | Conflict

/**
 * Whether this intake stored the event. If the answer to an earlier try was lost, the stored row has this event's id.
 */
function isOwn(insertion: StoreResult, { id }: WebhookEvent): boolean {
  return insertion.kind === 'inserted' || (insertion.kind === 'present' && insertion.event.id === id)
}

function duplicate(event: WebhookEvent, insertion: StoreResult, audit: Audit, log: Log): Acceptance {
  const { source, eventId } = event
  audit.decided('duplicate', event)
  if (insertion.kind === 'repeated') {
    log.warn('a known body under another event id', { source, eventId, firstEventId: insertion.eventId })
  }
  if (insertion.kind === 'present' && insertion.event.payloadSha256 !== event.payloadSha256) {
    log.warn('another body under a known event id', { source, eventId })
  }
  return 'duplicate'
}
