import { createHash } from 'node:crypto'
import { fail } from '../errors.ts'
import type { Ids } from '../runtime/ids.ts'
import type { Log } from '../runtime/log.ts'
import type { Clock } from '../runtime/time.ts'
import { correlateEvent } from '../runtime/trace.ts'
import { type HintQueue, schedule } from '../work/hints.ts'
import { applyEffects, planOf, reasonOf } from './apply.ts'
import { type Audit, type AuditDecision, refusalIn } from './audit.ts'
import { asReceived, begunAs, type HistoryEntry, hintOf, proofOf, type RetryHint, type WebhookEvent } from './event.ts'
import type { EventIdentity } from './identity.ts'
import {
  type Duplicate,
  type EventStore,
  ITEMS_AT_ONCE,
  keyOf,
  type NewEvent,
  type PresentEvent,
  placeEvent,
} from './place.ts'
import { nextRetryAt, type RetryPolicy } from './retry/policy.ts'
import type { EventSource, Reading, VerifiedCall } from './source.ts'

export interface InboxParts {
  readonly events: EventStore
  readonly queue: HintQueue<RetryHint>
  readonly policy: RetryPolicy
  readonly clock: Clock
  readonly ids: Ids
  readonly audit: Audit
  readonly log: Log
}

export type Acceptance = 'processed' | 'received' | 'duplicate'

export interface Inbox {
  /**
   * Stores an event once. Effects that are rows are applied in the same transaction (webhooks-61); events that are
   * handed over are run from the queue; one that nobody can read is kept for the operators.
   * @throws ServiceError `VALIDATION_FAILED`, nothing stored; `PROCESSING_FAILED`, stored as FAILED with a retry to
   * come; `UNAVAILABLE`, nothing stored
   */
  accept(source: EventSource, delivery: VerifiedCall): Promise<Acceptance>
}

/** The longest pause, in milliseconds, in which conflicts under one id count as one. */
const CONFLICT_PAUSE_MS = 60_000

export function createInbox({ events, queue, policy, clock, ids, audit, log }: InboxParts): Inbox {
  /**
   * Stores an event that has no effects yet.
   * @param begin what follows, unless it is a duplicate or held
   */
  async function store(
    arrival: NewEvent,
    decision: 'received' | 'failed' | 'dead',
    begin: (event: WebhookEvent) => Promise<void> = async () => {},
  ): Promise<Acceptance> {
    const placed = await placeEvent(events, arrival, {})
    if (placed.kind === 'blocked') throw new Error('a write without an effect cannot be blocked')
    if (placed.kind === 'duplicate') return repeated(arrival, placed)
    decided(decision, placed.event)
    if (!placed.event.held) await begin(placed.event)
    return 'received'
  }

  function decided(decision: AuditDecision, event: WebhookEvent): void {
    audit.decided(event.held ? 'held' : decision, event)
  }

  async function storeFailure(arrival: NewEvent, reason: string, cause: unknown): Promise<Acceptance> {
    const due = nextRetryAt(arrival.event, arrival.event.receivedAt, policy)
    return store({ ...arrival, event: asFailed(arrival.event, reason, due) }, 'failed', async (event) => {
      log.error('webhook handler failed', { source: event.source, eventId: event.eventId, cause })
      if (due) await schedule(queue, log, hintOf(event), due.getTime() - clock.now().getTime())
      throw fail('PROCESSING_FAILED', { reason })
    })
  }

  async function process(arrival: NewEvent, reading: Reading): Promise<Acceptance> {
    const placed = await applyEffects(arrival.event, planOf(reading), log, (effects) =>
      placeEvent(events, { ...arrival, event: { ...arrival.event, outcome: effects.outcome } }, effects),
    )
    if (placed.kind === 'duplicate') return repeated(arrival, placed)
    decided('processed', placed.event)
    return placed.event.held ? 'received' : 'processed'
  }

  async function repeated({ event }: NewEvent, { of: eventId, conflict }: Duplicate): Promise<Acceptance> {
    const { source, eventType } = event
    correlateEvent({ source, eventId })
    audit.decided('duplicate', { source, eventId, eventType })
    await events
      .forget(event)
      .catch((cause) => log.warn('a copy is not deleted, it expires', { source, eventId, cause }))
    if (conflict) await noteConflict(conflict)
    return 'duplicate'
  }

  /** The first content under an id stays. That there was another is worth a note, but no failure. */
  async function noteConflict(stored: PresentEvent): Promise<void> {
    const { source, eventId, idConflict } = stored
    log.warn('another content under a known event id', { source, eventId })
    const now = clock.now()
    if (idConflict && now.getTime() - idConflict.lastAt.getTime() < CONFLICT_PAUSE_MS) return
    await events
      .noteConflict(stored, now)
      .catch((cause) => log.warn('id conflict not noted', { source, eventId, cause }))
  }

  return {
    async accept(source, delivery) {
      const reading = readingOf(source, delivery, audit)
      const arrival = arrivalOf(source, reading, delivery, { id: ids.ordered(), receivedAt: clock.now() })
      const { event } = arrival
      if (reading.unreadable !== undefined)
        return store({ ...arrival, event: asFailed(event, reading.unreadable, undefined) }, 'dead')
      if (reading.isHandedOver)
        return store({ ...arrival, event: asReceived(event) }, 'received', (placed) =>
          schedule(queue, log, hintOf(placed), 0),
        )
      try {
        return await process(arrival, reading)
      } catch (error) {
        return storeFailure(arrival, reasonOf(error), error)
      }
    },
  }
}

function readingOf(source: EventSource, delivery: VerifiedCall, audit: Audit): Reading {
  try {
    return source.read(delivery)
  } catch (error) {
    throw refusalIn(error, audit, source)
  }
}

type Receipt = Pick<WebhookEvent, 'id' | 'receivedAt'>

function arrivalOf(
  { name: source, scheme }: EventSource,
  { identity, items }: Reading,
  { body, headers, proven }: VerifiedCall,
  { id, receivedAt }: Receipt,
): NewEvent {
  const event: WebhookEvent = {
    id,
    source,
    eventId: '',
    eventType: identity.eventType,
    status: 'PROCESSED',
    receivedAt,
    repeatsUntil: identity.retrySeconds ? new Date(receivedAt.getTime() + identity.retrySeconds * 1000) : undefined,
    processedAt: receivedAt,
    attempts: 0,
    dead: false,
    payload: body,
    payloadSha256: createHash('sha256').update(body).digest('hex'),
    contentSha256: identity.contentSha256,
    proof: proofOf(proven, identity),
    summary: identity.summary,
    itemCount: items?.length,
    headers,
    history: [firstMove(receivedAt, identity)],
  }
  const isSmall = items !== undefined && items.length <= ITEMS_AT_ONCE
  const isOfAnyAge = scheme.toleranceSeconds === Number.POSITIVE_INFINITY
  const placed = { ...event, eventId: keyOf(event, identity) }
  return { event: placed, identity, items: isSmall ? items : undefined, isOfAnyAge }
}

function firstMove(at: Date, { hasUnusableId }: EventIdentity): HistoryEntry {
  const reason = hasUnusableId && 'the event id that came with it is unusable'
  return { at, status: 'PROCESSED', by: 'intake', ...(reason && { reason }) }
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
    history: begunAs(event, { status: 'FAILED', error: errorMessage }),
  }
}
