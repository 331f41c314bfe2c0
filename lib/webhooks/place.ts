import { createHash } from 'node:crypto'
import { correlateEvent } from '../runtime/trace.ts'
import type { Conflict, Effects } from './apply.ts'
import { asHeld, type EventHead, type EventKey, type WebhookEvent } from './event.ts'
import type { BatchItem, EventIdentity } from './identity.ts'

/** The row that an insert found in place of its own. */
export type InsertResult =
  | { readonly kind: 'inserted' }
  | { readonly kind: 'present'; readonly event: PresentEvent }
  /** The same content is stored under another id. */
  | { readonly kind: 'repeated'; readonly last: Repeated }
  /** The event with this id has ended; its identity is still known. */
  | { readonly kind: 'ended' }

/** What a copy is compared with. */
export type PresentEvent = EventKey &
  Pick<EventHead, 'id' | 'receivedAt' | 'payloadSha256' | 'contentSha256' | 'idConflict'>

/** The last event with the same content. */
export interface Repeated extends Came {
  readonly eventId: string
  readonly at: Date
}

/** How a content came that neither its type nor its id is signed with. */
interface Came {
  /** When it came first; absent where the types are. */
  readonly since?: Date | undefined
  /** The types under which it was accepted. */
  readonly types?: readonly string[] | undefined
}

/** The rows that are written together with a new event. */
export interface Beside {
  /**
   * The row of the content, for rules that compare it: it does not exist yet, or it names this event as the last one.
   */
  readonly content?: Content | undefined
  /** Whether the identity is stored in a row of its own, which outlives the event. */
  readonly isIdentified?: boolean | undefined
  /** The elements of a batch. */
  readonly items?: readonly BatchItem[] | undefined
  /** Its deliveries, which are due at once. */
  readonly deliverTo?: readonly NewRow[] | undefined
}

export interface Content extends Came {
  readonly sha256: string
  readonly last?: Repeated | undefined
}

/** A delivery that is stored with its event. */
export interface NewRow {
  readonly destination: string
  /** When the scan looks at it for the first time: later than the first hint needs. */
  readonly sweepAt: Date
}

/** Stores events. */
export interface EventStore {
  /**
   * Stores a new event, its effects and the rows beside it, all or nothing. If several conflicts block the write, it
   * reports the event's own row first, then the content, its identity, and the conflict of the effects.
   * @throws ServiceError `UNAVAILABLE`
   */
  insert(event: WebhookEvent, effects: Effects, beside?: Beside): Promise<InsertResult | Conflict>
  /**
   * Counts another content under an event's id, unless another writer did so since the event was read.
   * @throws ServiceError `UNAVAILABLE`
   */
  noteConflict(event: PresentEvent, at: Date): Promise<void>
  /** Deletes the rows of an event that was not stored after all. @throws ServiceError `UNAVAILABLE` */
  forget(event: WebhookEvent): Promise<void>
}

/**
 * The maximum number of elements of a batch that are written together with it; the worker writes those of a larger
 * batch. A transaction allows a hundred writes: the others are the event, its content or its identity, two effects and 30 deliveries.
 */
export const ITEMS_AT_ONCE = 65

/** An event that is not stored yet. */
export interface NewEvent {
  /** Under the first key of its identity. */
  readonly event: WebhookEvent
  readonly identity: EventIdentity
  readonly items?: readonly BatchItem[] | undefined
  /** Whether its sender's calls are accepted at any age, even if they sign their time. */
  readonly isOfAnyAge?: boolean | undefined
}

export interface Duplicate {
  readonly kind: 'duplicate'
  /** The id of the event that it repeats. */
  readonly of: string
  /** That event, if it has another content. */
  readonly conflict?: PresentEvent | undefined
}

export type Placed = { readonly kind: 'stored'; readonly event: WebhookEvent } | Duplicate

/** Maximum number of tries; each further try means that another call with the same content came in between. */
const MAXIMUM_ROUNDS = 5

/** Stores an event, unless it is a duplicate. An event that only looks like another is stored with a mark. */
export async function placeEvent(events: EventStore, arrival: NewEvent, effects: Effects): Promise<Placed | Conflict> {
  let attempt = firstTry(arrival)
  for (let round = 1; round <= MAXIMUM_ROUNDS; round++) {
    if (round === MAXIMUM_ROUNDS) attempt = inCrowd(attempt)
    const given = effectsOf(attempt, effects)
    correlateEvent(attempt.event)
    const result = await events.insert(attempt.event, given, attempt.beside)
    if (result.kind === 'blocked') return result
    // `present` with the id of this event: the answer to an earlier try of this call was lost.
    if (result.kind === 'inserted' || isOwn(result, attempt.event)) return { kind: 'stored', event: attempt.event }
    const next = nextTry(attempt, result, arrival)
    if ('kind' in next) return next
    attempt = next
  }
  throw new Error('the stored content did not come to rest')
}

function effectsOf({ event }: Try, effects: Effects): Effects {
  return event.held ? {} : effects
}

type NotInserted = Exclude<InsertResult, { readonly kind: 'inserted' }>

function nextTry(attempt: Try, found: NotInserted, arrival: NewEvent): Try | Duplicate {
  if (found.kind === 'ended') return { kind: 'duplicate', of: attempt.event.eventId }
  return found.kind === 'present'
    ? besidePresent(attempt, found.event, arrival)
    : afterLast(attempt, found.last, arrival)
}

interface Try {
  readonly event: WebhookEvent
  readonly beside: Beside
}

function firstTry(arrival: NewEvent): Try {
  const { event, identity, items } = arrival
  const content = comparesContent(identity) ? contentRow(event) : undefined
  return { event, beside: { items, content, isIdentified: outlives(arrival) } }
}

/**
 * Whether a captured copy of the call could come back as a new event, once its own row has ended. One with a signed time is
 * too old by then, unless no age is too old; where contents are compared, the row of the content finds it; a window that is
 * over makes the same call a new event in any case; and where nothing is proven, any caller can make a new call.
 */
function outlives({ event: { proof }, identity, isOfAnyAge = false }: NewEvent): boolean {
  const isEverGood = proof.level !== 'none' && (proof.signedAt === undefined || isOfAnyAge)
  const isForgotten = identity.rule === 'window' && Number.isFinite(identity.horizonSeconds)
  return isEverGood && !isForgotten && !comparesContent(identity)
}

/**
 * Of many similar events at once, some need not become the last one: such an event is stored with its mark alone. One of
 * another type is held, because it may not be the first of its type.
 */
function inCrowd({ event, beside }: Try): Try {
  if (event.possibleDuplicateOf === undefined) return { event, beside }
  return { event: event.typeConflict ? asHeld(event) : event, beside: { ...beside, content: undefined } }
}

/** The row of a content that names an event as the last one. */
function contentRow(event: WebhookEvent, last?: Repeated): Content {
  const { eventType, receivedAt, proof } = event
  const row = { sha256: contentOf(event), last }
  if (proof.typeSigned || proof.idSigned) return row
  const { types = [], since = receivedAt } = last ?? {}
  return { ...row, since, types: types.includes(eventType) ? types : [...types, eventType] }
}

function isOwn(result: InsertResult, { id }: WebhookEvent): boolean {
  return result.kind === 'present' && result.event.id === id
}

/** The next try for an event whose key has a row, or the duplicate. */
function besidePresent({ event, beside }: Try, present: PresentEvent, { identity }: NewEvent): Try | Duplicate {
  const content = contentOf(event)
  const isOtherContent = contentOf(present) !== content
  const { rule, eventId } = identity
  if (rule === 'window' && !isWithin(present.receivedAt, event, identity))
    return { event: { ...event, eventId: ownKey(event) }, beside: { ...beside, content: contentRow(event) } }
  if (rule === 'id+body' && isOtherContent && event.eventId === eventId) {
    const idConflict = { count: 1, lastAt: event.receivedAt }
    return { event: { ...event, eventId: `${eventId}~${content.slice(0, 16)}`, idConflict }, beside }
  }
  const conflict = rule === 'signed-id' && isOtherContent ? present : undefined
  return { kind: 'duplicate', of: present.eventId, conflict }
}

/** The next try for an event whose content another event had last, or the duplicate. */
function afterLast({ event, beside }: Try, last: Repeated, { identity }: NewEvent): Try | Duplicate {
  const isLate = !isWithin(last.at, event, identity)
  if (last.eventId === event.eventId || isKnown(event, identity, isLate)) return { kind: 'duplicate', of: last.eventId }
  const isAlike = identity.rule === 'id+body' || !isLate
  const isOtherType = last.types?.includes(event.eventType) === false
  const marked = {
    ...event,
    possibleDuplicateOf: isAlike ? last.eventId : undefined,
    typeConflict: isOtherType || undefined,
  }
  const isSuspect = isOtherType ? !isSibling(event, last, identity) : isAlike && identity.repeats === 'hold'
  return isSuspect
    ? { event: asHeld(marked), beside: { ...beside, content: undefined } }
    : { event: marked, beside: { ...beside, content: contentRow(event, last) } }
}

/** How long after the first event the same content may come under the other types of its resource, in milliseconds. */
const SIBLINGS_MS = 600_000

/** More types than any sender has for one body. */
const MOST_TYPES = 8

/** Whether a second type may name the same change: it came soon after the first, for the same resource. */
function isSibling(
  { receivedAt }: WebhookEvent,
  { types = [], since }: Repeated,
  { hasSibling }: EventIdentity,
): boolean {
  const isSoon = since !== undefined && receivedAt.getTime() - since.getTime() <= SIBLINGS_MS
  return isSoon && types.length < MOST_TYPES && types.some((type) => hasSibling?.(type))
}

/** Whether equal content is the same event: the content never repeats, or the call is too old for a new event. */
function isKnown({ proof }: WebhookEvent, { rule, repeats }: EventIdentity, isLate: boolean): boolean {
  return repeats === 'drop' || proof.stale === true || (rule === 'window' && !isLate)
}

/** The hash of an event's content for comparison, in hexadecimal digits. */
export function contentOf({
  contentSha256,
  payloadSha256,
}: Pick<EventHead, 'contentSha256' | 'payloadSha256'>): string {
  return contentSha256 ?? payloadSha256
}

type Unplaced = Pick<WebhookEvent, 'id' | 'proof' | 'contentSha256' | 'payloadSha256'>

/** The key of an event: its id, or the name in its place (webhooks-51). */
export function keyOf(event: Unplaced, { rule, eventId }: Pick<EventIdentity, 'rule' | 'eventId'>): string {
  if (rule === 'always-new') return ownKey(event)
  if (eventId !== undefined) return eventId
  const content = contentOf(event)
  const signedAt = rule === 'time+body' ? event.proof.signedAt : undefined
  return `h:${(signedAt ? timed(signedAt, content) : content).slice(0, 32)}`
}

function timed(signedAt: Date, content: string): string {
  return createHash('sha256').update(`${signedAt.getTime()}\n${content}`).digest('hex')
}

/** The key of an event that no other property identifies. */
function ownKey({ id }: Pick<WebhookEvent, 'id'>): string {
  return `n:${id}`
}

/** Whether the rule needs to know other events with the same content. */
function comparesContent({ rule, repeats }: EventIdentity): boolean {
  return rule === 'time+body' || rule === 'always-new' || (rule === 'id+body' && repeats !== 'signed')
}

function isWithin(at: Date, { receivedAt }: WebhookEvent, { horizonSeconds }: EventIdentity): boolean {
  return receivedAt.getTime() - at.getTime() <= horizonSeconds * 1000
}
