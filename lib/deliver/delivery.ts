import { Buffer } from 'node:buffer'
import type { EventKey, WebhookEvent } from '../webhooks/event.ts'
import type { HintQueue } from '../work/hints.ts'
import type { KeptAnswer } from './answer.ts'

/** PENDING waits for `dueAt`; SENDING has an owner until `leaseUntil`; DEAD was given up. */
export type DeliveryStatus = 'PENDING' | 'SENDING' | 'DELIVERED' | 'DEAD'

/** As operators see it: a delivery that waits for its destination to be enabled is PARKED. */
export type ShownStatus = DeliveryStatus | 'PARKED'

/** One event on its way to one destination. */
export interface DeliveryKey extends EventKey {
  readonly destination: string
}

/** The result of one try. What it sent is made again from its event. */
export interface DeliveryResult {
  /** When it ended. */
  readonly at: Date
  /** The status or the class of the error, at most 256 characters. */
  readonly answer: string
  /** Which one it was, since the acceptance or the last order. */
  readonly attempt?: number | undefined
  /** The replay that ordered it. */
  readonly replayId?: string | undefined
  /** How long it took, in milliseconds. */
  readonly ms?: number | undefined
  /** Where it went. */
  readonly url?: string | undefined
  readonly received?: KeptAnswer | undefined
  /** Of a success: why it may have had no effect. */
  readonly reason?: string | undefined
}

/** One try, or an order of an operator, without `answer`. */
export interface DeliveryMove extends Omit<DeliveryResult, 'answer'> {
  readonly answer?: string | undefined
  readonly status: DeliveryStatus
  /** The operator's name. */
  readonly user?: string | undefined
  /** Of an order: why it was given. */
  readonly reason?: string | undefined
}

export interface Delivery extends DeliveryKey {
  /** That of its event. */
  readonly id: bigint
  readonly eventType: string
  readonly status: DeliveryStatus
  /** When its event was accepted. */
  readonly receivedAt: Date
  /** The number of claimed tries since the acceptance or the last order. */
  readonly attempts: number
  /** When the next try is due; absent if none is planned. */
  readonly dueAt?: Date | undefined
  readonly owner?: string | undefined
  readonly leaseUntil?: Date | undefined
  /** The result of the last try. */
  readonly answer?: string | undefined
  readonly deliveredAt?: Date | undefined
  /** When an operator last ordered a delivery. */
  readonly orderedAt?: Date | undefined
  /** The last replay that ordered it. */
  readonly replayId?: string | undefined
  /** When it ends with its event. */
  readonly endsAt: Date
  /** The latest moves, oldest first. */
  readonly history: readonly DeliveryMove[]
}

/** A message that wakes the worker of a destination. It is only a hint: the stored row is the truth. */
export interface DeliveryHint extends DeliveryKey {
  /** The number of tries in the row when the hint was sent. If the row has another number, the hint is dropped. */
  readonly n: number
  /** The one try that an open circuit lets through. */
  readonly isProbe?: true | undefined
  /** How often in a row the hint was sent on because the delivery was not due yet; 0 when absent. */
  readonly hops?: number | undefined
  /** The event itself if it is small, so that no worker reads it again. */
  readonly carried?: CarriedEvent | undefined
}

/** The queues of the destinations. */
export type DeliveryQueue = HintQueue<DeliveryHint>

/**
 * The queue of a destination stands beside the retry queue, `…-retry`: its name, or address, ends with
 * `-deliver-<destination>` in place of that, with dashes for what no name of a queue has.
 */
export function deliveryQueueBeside(retryQueue: string, destination: string): string {
  return `${retryQueue.replace(/-retry$/, '')}-deliver-${destination.replaceAll(/[^\w-]/g, '-')}`
}

export function deliveryHint({ source, eventId, destination, attempts }: DeliveryKey & Pick<Delivery, 'attempts'>) {
  return { source, eventId, destination, n: attempts } satisfies DeliveryHint
}

/** The part of an event that a destination receives. */
export type DeliveredEvent = Pick<
  WebhookEvent,
  | 'id'
  | 'source'
  | 'eventId'
  | 'eventType'
  | 'receivedAt'
  | 'payload'
  | 'headers'
  | 'proof'
  | 'possibleDuplicateOf'
  | 'typeConflict'
  | 'repeatsUntil'
>

/** The longest body that a hint carries, in bytes. */
const MOST_CARRIED = 3072

/** An event in a message: times in milliseconds since the epoch, the body in base64. */
export interface CarriedEvent
  extends Pick<DeliveredEvent, 'eventType' | 'headers' | 'possibleDuplicateOf' | 'typeConflict'> {
  readonly id: string
  readonly receivedAt: number
  readonly repeatsUntil?: number | undefined
  readonly payload: string
  readonly proof: Omit<DeliveredEvent['proof'], 'signedAt'> & { readonly signedAt?: number | undefined }
}

/** The form of an event in a hint; undefined for one that is too large. */
export function carriedOf(event: DeliveredEvent): CarriedEvent | undefined {
  const {
    id,
    eventType,
    receivedAt,
    repeatsUntil,
    headers,
    payload,
    possibleDuplicateOf,
    typeConflict,
    proof: { signedAt, ...proof },
  } = event
  if (payload.length > MOST_CARRIED) return undefined
  return {
    id: String(id),
    eventType,
    receivedAt: receivedAt.getTime(),
    repeatsUntil: repeatsUntil?.getTime(),
    headers,
    payload: payload.toString('base64'),
    possibleDuplicateOf,
    typeConflict,
    proof: { ...proof, signedAt: signedAt?.getTime() },
  }
}

/**
 * The event that a hint carries, for the delivery that it names; undefined if it has to be read. A delivery that was ordered
 * again has to be: in the meantime the payload may have been deleted.
 */
export function carriedTo(
  { id, source, eventId, orderedAt }: Delivery,
  hint: DeliveryHint,
): DeliveredEvent | undefined {
  if (orderedAt || hint.carried?.id !== String(id)) return undefined
  const { eventType, receivedAt, repeatsUntil, headers, payload, possibleDuplicateOf, typeConflict, proof } =
    hint.carried
  const signedAt = proof.signedAt === undefined ? undefined : new Date(proof.signedAt)
  return {
    ...{ id, source, eventId, eventType, headers, possibleDuplicateOf, typeConflict },
    receivedAt: new Date(receivedAt),
    repeatsUntil: repeatsUntil === undefined ? undefined : new Date(repeatsUntil),
    payload: Buffer.from(payload, 'base64'),
    proof: { ...proof, signedAt },
  }
}

/** Maximum number of moves that a delivery remembers: more than a schedule has tries within its time. */
const MAXIMUM_MOVES = 20

const MAXIMUM_ANSWER = 256

/** Adds a move to the history, which keeps the latest ones, and the answers to the last three failures and one success. */
export function withMove(history: readonly DeliveryMove[], move: DeliveryMove): readonly DeliveryMove[] {
  const all = [...history.slice(Math.max(0, history.length + 1 - MAXIMUM_MOVES)), move]
  const told = Object.groupBy(all, ({ status }) => (status === 'DELIVERED' ? 'successes' : 'failures'))
  const isTold = ({ received }: DeliveryMove) => received?.body !== undefined
  const kept = [told.failures?.filter(isTold).slice(-3), told.successes?.filter(isTold).slice(-1)].flat()
  return all.map((one) => (kept.includes(one) ? one : withoutContent(one)))
}

/** Only the status is left of the answer. */
export function withoutContent({ received, ...move }: DeliveryMove): DeliveryMove {
  return received ? { ...move, received: { status: received.status } } : move
}

/** Of a delivery that was ordered again: when the last try ended that was a success, or had no answer. */
export function sentAtOf({ orderedAt, history }: Pick<Delivery, 'orderedAt' | 'history'>): Date | undefined {
  const isSent = ({ status, attempt, received }: DeliveryMove) =>
    status === 'DELIVERED' || (attempt !== undefined && received === undefined)
  return orderedAt && history.findLast(isSent)?.at
}

/** An answer as it is stored. */
export function shortAnswer(answer: string): string {
  return answer.slice(0, MAXIMUM_ANSWER)
}
