import { createHash } from 'node:crypto'
import type { EventKey, WebhookEvent } from '../../lib/webhooks/event.ts'
import type { Acceptance } from '../../lib/webhooks/inbox.ts'
import type { Delivery } from './delivery.ts'
import { HORIZON_SECONDS, type SourceName } from './sources.ts'

const HORIZON = HORIZON_SECONDS * 1000

/** Conflicts under one id are noted at most once in so many milliseconds. */
const CONFLICT_PAUSE = 60_000

type Likeness = (delivery: Delivery, earlier: Delivery) => boolean

const hasSameId: Likeness = (delivery, earlier) => delivery.eventId === earlier.eventId
const saysTheSame: Likeness = (delivery, earlier) => delivery.spec.content === earlier.spec.content
const hasSameTime: Likeness = (delivery, earlier) => delivery.spec.sentAt === earlier.spec.sentAt

function both(one: Likeness, other: Likeness): Likeness {
  return (delivery, earlier) => one(delivery, earlier) && other(delivery, earlier)
}

/** When a delivery is an event that came before, and nothing is lost with it. */
const IS_COPY: Readonly<Record<SourceName, Likeness>> = {
  rows: hasSameId,
  'handed-over': saysTheSame,
  unsigned: both(hasSameId, saysTheSame),
  timed: both(hasSameTime, saysTheSame),
  news: (delivery, earlier) => delivery === earlier,
  nameless: both(saysTheSame, (delivery, earlier) => timeBetween(delivery, earlier) <= HORIZON),
  batches: saysTheSame,
}

/** How long after an event another one that says the same is marked with it, in milliseconds. */
const MARKED_WITHIN: Readonly<Partial<Record<SourceName, number>>> = {
  unsigned: Number.POSITIVE_INFINITY,
  timed: HORIZON,
  news: HORIZON,
}

/** Whether a delivery is an event that came before. One that is late is so as soon as it says nothing new. */
export function isCopy(delivery: Delivery, earlier: Delivery): boolean {
  const { source } = delivery.spec
  if (source !== earlier.spec.source) return false
  const saysNothingNew = delivery.isLate && source in MARKED_WITHIN && saysTheSame(delivery, earlier)
  return saysNothingNew || IS_COPY[source](delivery, earlier)
}

function timeBetween(delivery: Delivery, earlier: Delivery): number {
  return delivery.receivedAt.getTime() - earlier.receivedAt.getTime()
}

interface Stored {
  readonly delivery: Delivery
  readonly key: EventKey
}

export interface Witness {
  /** By how much the clocks of two processes differ at most, in milliseconds. */
  readonly skew: number
  readonly find: (key: EventKey) => WebhookEvent | undefined
  readonly violate: (what: string) => void
}

/** Watches which deliveries become events, and what these say of each other. */
export class IdentityJudge {
  readonly #witness: Witness
  /** In the order in which they were stored. */
  readonly #stored: Stored[] = []

  constructor(witness: Witness) {
    this.#witness = witness
  }

  stored(event: WebhookEvent, delivery: Delivery): void {
    const { violate } = this.#witness
    const { source } = delivery.spec
    const before = this.#stored.filter(({ key }) => key.source === source)
    if (before.some((earlier) => isCopy(delivery, earlier.delivery))) violate('a copy is stored as an event')
    if ((event.proof.stale ?? false) !== delivery.isLate) violate('a record is wrong about the lateness of its call')
    this.#checkMark(event, delivery, before)
    if (source === 'unsigned' || source === 'handed-over') this.#checkKey(event, delivery, before)
    this.#stored.push({ delivery, key: event })
  }

  #checkMark({ possibleDuplicateOf: mark }: WebhookEvent, delivery: Delivery, before: readonly Stored[]): void {
    const { skew, violate } = this.#witness
    const within = MARKED_WITHIN[delivery.spec.source] ?? Number.NEGATIVE_INFINITY
    const alike = before.filter((earlier) => saysTheSame(delivery, earlier.delivery))
    const isAlike = (longest: number) => (earlier: Stored) => timeBetween(delivery, earlier.delivery) <= longest
    if (mark === undefined && alike.slice(-1).some(isAlike(within - 2 * skew))) violate('a look-alike without a mark')
    if (mark === undefined) return
    const marked = alike.filter(isAlike(within)).map(({ key }) => key.eventId)
    if (!marked.includes(mark)) violate('a mark that names nothing alike')
  }

  /** The first event under an id has it; the others have keys of their own, and say why. */
  #checkKey({ eventId, idConflict }: WebhookEvent, delivery: Delivery, before: readonly Stored[]): void {
    const isTaken = before.some(({ key }) => key.eventId === delivery.eventId)
    const hash = createHash('sha256').update(delivery.call.body).digest('hex')
    const wanted = isTaken ? `${delivery.eventId}~${hash.slice(0, 16)}` : delivery.eventId
    if (eventId !== wanted || idConflict?.count !== (isTaken ? 1 : undefined)) {
      this.#witness.violate('an event under a wrong id, or silent about the conflict')
    }
  }

  acknowledged(delivery: Delivery, acceptance: Acceptance, isUndisturbed: boolean): void {
    const { find, violate } = this.#witness
    const own = this.#stored.findLast((stored) => isCopy(delivery, stored.delivery))
    if (!own) violate('an acknowledged event is lost')
    const isConflict = own && acceptance === 'duplicate' && !saysTheSame(delivery, own.delivery)
    if (isConflict && isUndisturbed && !find(own.key)?.idConflict) violate('a conflict that no record shows')
  }

  /** Somebody may have counted a conflict. */
  noted({ idConflict: before }: WebhookEvent, { idConflict: after }: WebhookEvent): void {
    if (before === after) return
    const isNext = after?.count === (before?.count ?? 0) + 1
    const pause = after && before ? after.lastAt.getTime() - before.lastAt.getTime() : CONFLICT_PAUSE
    if (!isNext || pause < CONFLICT_PAUSE) this.#witness.violate('a conflict counted twice within a minute')
  }
}
