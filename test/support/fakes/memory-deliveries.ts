import { type Health, healthyOf } from '../../../lib/deliver/breaker.ts'
import {
  type Delivery,
  type DeliveryKey,
  type DeliveryMove,
  deliveryHint,
  shortAnswer,
  withMove,
} from '../../../lib/deliver/delivery.ts'
import type {
  DeliveryClaim,
  DeliveryDesk,
  DeliveryStore,
  DueDeliveries,
  DueDelivery,
  HealthStore,
} from '../../../lib/deliver/stores.ts'
import { unavailable } from '../../../lib/errors.ts'
import type { Clock } from '../../../lib/runtime/time.ts'
import type { EventKey, WebhookEvent } from '../../../lib/webhooks/event.ts'
import type { NewRow } from '../../../lib/webhooks/place.ts'
import type { Ending } from '../../../lib/work/worker.ts'
import { endAfter, isAlive, isBefore } from './row-ends.ts'

/** A delivery and, until it is over, the time at which the scan looks at it. */
interface DeliveryRow {
  readonly delivery: Delivery
  readonly sweepAt: Date | undefined
}

/** A condition of the adapters that a test may leave out, to see that another test misses it. */
export type DeliveryGuard =
  | 'insert: writes the deliveries'
  | 'insert: the scan finds them'
  | 'claim: due'
  | 'claim: as many tries as the hint saw'
  | 're-claim: as many tries as the hint saw'
  | 're-claim: the lease is over'
  | 'claim: charges the try'
  | 'deliver: owner'
  | 'fail: owner'
  | 'deliver, fail, release: status'
  | 'release: gives the try back'
  | 'order: once for each replay'
  | 'scan: is postponed'

export interface DeliveryOptions {
  /** Says which rows are past their end; without it none is. */
  readonly clock?: Clock | undefined
  readonly without?: readonly DeliveryGuard[]
  /** Told of every write of a delivery. */
  readonly moved?: (before: Delivery | undefined, after: Delivery) => void
}

const PAGE = 100

/** For how many days the deliveries of an event are kept that does not say when it ends. */
const TEN_YEARS = 3650

/** What a delivery loses when nothing is to come any more. */
const OVER = { dueAt: undefined, leaseUntil: undefined } as const

/** Deliveries and the health of destinations in memory, under the conditions of the DynamoDB adapters. */
export class MemoryDeliveries {
  readonly rows = new Map<string, DeliveryRow>()
  readonly health = new Map<string, Health>()
  isStoreDown = false
  readonly #clock: Clock | undefined
  readonly #without: ReadonlySet<DeliveryGuard>
  readonly #moved: DeliveryOptions['moved']

  constructor({ clock, without = [], moved }: DeliveryOptions = {}) {
    this.#clock = clock
    this.#without = new Set(without)
    this.#moved = moved
  }

  /** Writes the deliveries of a new event, as its transaction does. */
  add(event: WebhookEvent, rows: readonly NewRow[]): void {
    if (!this.#demands('insert: writes the deliveries')) return
    const { id, source, eventId, eventType, receivedAt, endsAt = endAfter(receivedAt, TEN_YEARS) } = event
    for (const { destination, sweepAt } of rows) {
      const known = { id, source, eventId, eventType, receivedAt, endsAt, destination }
      const delivery = { ...known, status: 'PENDING', attempts: 0, dueAt: receivedAt, history: [] } as const
      this.#put(delivery, this.#demands('insert: the scan finds them') ? sweepAt : undefined)
    }
  }

  /** The delivery as it stands, whether the store is down or not. */
  find(key: DeliveryKey): Delivery | undefined {
    const delivery = this.#row(key)?.delivery
    return delivery && this.#isThere(delivery) ? delivery : undefined
  }

  /** Also if it is past its end. */
  #row(key: DeliveryKey): DeliveryRow | undefined {
    return this.rows.get(nameOfDelivery(key))
  }

  #isThere({ endsAt }: Delivery): boolean {
    return !this.#clock || isBefore(this.#clock.now(), endsAt)
  }

  readonly store: DeliveryStore = {
    claim: async (claim) => {
      this.#reachStore()
      const delivery = this.find(claim)
      if (!delivery) return { kind: 'refused', delivery }
      if (!isAlive(delivery, claim.now) || !this.#isClaimable(delivery, claim))
        return { kind: isOwn(delivery, claim, 'SENDING') ? 'claimed' : 'refused', delivery }
      const { owner, leaseUntil, n } = claim
      const attempts = this.#demands('claim: charges the try') ? n + 1 : delivery.attempts
      const claimed = { ...delivery, status: 'SENDING', owner, leaseUntil, attempts, dueAt: undefined } as const
      this.#put(claimed, n === 0 ? this.#sweepAt(claim) : leaseUntil)
      return { kind: 'claimed', delivery: claimed }
    },

    deliver: async (claim, { history }, { answer, at, ...rest }) => {
      const move = { ...rest, at, status: 'DELIVERED', answer: shortAnswer(answer) } as const
      return this.#end(claim, 'deliver: owner', undefined, {
        ...OVER,
        ...outcomeOf(history, move),
        deliveredAt: at,
      })
    },

    fail: async (claim, { history }, { at, answer, dueAt, ...rest }) => {
      const move = { ...rest, at, status: dueAt ? 'PENDING' : 'DEAD', answer: shortAnswer(answer) } as const
      return this.#end(claim, 'fail: owner', dueAt, { ...OVER, ...outcomeOf(history, move), dueAt })
    },

    release: async (claim, dueAt) => {
      const attempts = this.#demands('release: gives the try back') ? claim.n : claim.n + 1
      return this.#end(claim, 'fail: owner', dueAt, { ...OVER, status: 'PENDING', attempts, dueAt })
    },

    abandon: async (hint, at, answer) => {
      this.#reachStore()
      const delivery = this.find(hint)
      const move = { at, status: 'DEAD', answer: shortAnswer(answer) } as const
      const isWaiting = delivery?.status === 'PENDING' || (delivery && isAbandoned(delivery, at))
      if (!delivery || !isWaiting || delivery.attempts !== hint.n) return { kind: isLast(delivery, move) }
      this.#put({ ...delivery, ...OVER, ...outcomeOf(delivery.history, move), owner: undefined }, undefined)
      return { kind: 'written' }
    },
  }

  readonly due: DueDeliveries = {
    dueBy: (destination, now) => this.#dueBy(destination, now),

    postponeScan: async (hint, until) => {
      this.#reachStore()
      const row = this.rows.get(nameOfDelivery(hint))
      if (!row?.sweepAt || row.delivery.attempts !== hint.n || !this.#demands('scan: is postponed')) return
      this.#put(row.delivery, until)
    },

    waiting: async (destination, endingBy = new Date(0)) => {
      this.#reachStore()
      const waiting = this.#waiting(destination)
      const times = waiting.map(({ delivery }) => (delivery.orderedAt ?? delivery.receivedAt).getTime())
      return {
        count: waiting.length,
        oldest: times.length > 0 ? new Date(Math.min(...times)) : undefined,
        ending: waiting
          .filter(({ delivery }) => delivery.endsAt <= endingBy)
          .slice(0, PAGE)
          .map(toDue),
      }
    },
  }

  readonly healthStore: HealthStore = {
    read: async (destination) => {
      this.#reachStore()
      return this.health.get(destination) ?? healthyOf(destination)
    },

    all: async () => {
      this.#reachStore()
      return [...this.health.values()].toSorted((one, other) => (one.destination < other.destination ? -1 : 1))
    },

    change: async (destination, change, known) => {
      this.#reachStore()
      const present = this.health.get(destination) ?? healthyOf(destination)
      if (known && !change(known)) return known
      const changed = change(present)
      if (!changed) return present
      const health = { ...changed, destination, version: present.version + 1 }
      this.health.set(destination, health)
      return health
    },

    remove: async (destination) => {
      this.#reachStore()
      this.health.delete(destination)
    },
  }

  readonly desk: DeliveryDesk = {
    of: async (event) => {
      this.#reachStore()
      return [...this.rows.values()]
        .map(({ delivery }) => delivery)
        .filter((delivery) => this.#isThere(delivery))
        .filter(({ source, eventId }) => source === event.source && eventId === event.eventId)
        .toSorted((one, other) => (one.destination < other.destination ? -1 : 1))
    },

    order: async (key, { at, user, reason, replayId, statuses }) => {
      this.#reachStore()
      const stored = this.find(key)
      if (!stored) return { kind: 'refused', delivery: undefined }
      const isUnderWay = stored.status === 'SENDING' && !isAbandoned(stored, at)
      const isKnown = replayId !== undefined && stored.replayId === replayId
      const isOther = statuses !== undefined && !statuses.includes(stored.status)
      if (isUnderWay || isOther || (isKnown && this.#demands('order: once for each replay')))
        return { kind: 'refused', delivery: stored }
      const history = withMove(stored.history, { at, status: 'PENDING', user, reason })
      const ordered = { ...OVER, status: 'PENDING', attempts: 0, dueAt: at, orderedAt: at, history } as const
      const gone = { owner: undefined, deliveredAt: undefined }
      const delivery = { ...stored, ...ordered, ...gone, replayId: replayId ?? stored.replayId }
      this.#put(delivery, at)
      return { kind: 'ordered', delivery }
    },

    create: async (delivery, order) => {
      this.#reachStore()
      const { at, user, reason, replayId } = order
      const stored = this.#row(delivery)?.delivery
      if (stored && isBefore(at, stored.endsAt)) return this.desk.order(delivery, order)
      const history = [{ at, status: 'PENDING', user, reason }] as const
      const fresh = { status: 'PENDING', attempts: 0, dueAt: at, orderedAt: at, replayId, history } as const
      const created = { ...delivery, ...fresh }
      this.#put(created, at)
      return { kind: 'ordered', delivery: created }
    },
  }

  #end(
    claim: DeliveryClaim,
    guard: DeliveryGuard,
    sweepAt: Date | undefined,
    changes: Partial<Delivery> & Pick<Delivery, 'status'>,
  ): Ending {
    this.#reachStore()
    const delivery = this.#row(claim)?.delivery
    if (!delivery) return { kind: 'lost' }
    if (!this.#isMine(delivery, claim, guard)) {
      const isDone = this.#isThere(delivery) && isOwn(delivery, claim, changes.status)
      return { kind: isDone ? 'written' : 'lost' }
    }
    this.#put({ ...delivery, ...changes }, sweepAt)
    return { kind: 'written' }
  }

  async *#dueBy(destination: string, now: Date): AsyncGenerator<readonly DueDelivery[]> {
    this.#reachStore()
    const due = this.#waiting(destination)
      .filter(({ sweepAt }) => sweepAt <= now)
      .map(toDue)
    for (let start = 0; start < due.length; start += PAGE) yield due.slice(start, start + PAGE)
  }

  #waiting(destination: string) {
    return [...this.rows.values()]
      .flatMap(({ delivery, sweepAt }) => (sweepAt ? [{ delivery, sweepAt }] : []))
      .filter(({ delivery }) => delivery.destination === destination && this.#isThere(delivery))
      .toSorted((one, other) => one.sweepAt.getTime() - other.sweepAt.getTime())
  }

  #sweepAt(key: DeliveryKey): Date | undefined {
    return this.#row(key)?.sweepAt
  }

  #put(delivery: Delivery, sweepAt: Date | undefined): void {
    const name = nameOfDelivery(delivery)
    const before = this.rows.get(name)?.delivery
    this.rows.set(name, { delivery, sweepAt })
    this.#moved?.(before, delivery)
  }

  #isClaimable(delivery: Delivery, { n, now }: DeliveryClaim): boolean {
    const { status, attempts, dueAt } = delivery
    if (status === 'PENDING') {
      if (attempts !== n && this.#demands('claim: as many tries as the hint saw')) return false
      return (dueAt !== undefined && dueAt <= now) || !this.#demands('claim: due')
    }
    if (status !== 'SENDING') return false
    if (attempts !== n && this.#demands('re-claim: as many tries as the hint saw')) return false
    return isAbandoned(delivery, now) || !this.#demands('re-claim: the lease is over')
  }

  #isMine(delivery: Delivery, { owner }: DeliveryClaim, guard: DeliveryGuard): boolean {
    const isOwner = delivery.owner === owner || !this.#demands(guard)
    return isOwner && (delivery.status === 'SENDING' || !this.#demands('deliver, fail, release: status'))
  }

  #demands(guard: DeliveryGuard): boolean {
    return !this.#without.has(guard)
  }

  #reachStore(): void {
    if (this.isStoreDown) throw unavailable(new Error('the store is down'))
  }
}

function toDue({ delivery, sweepAt }: { readonly delivery: Delivery; readonly sweepAt: Date }): DueDelivery {
  return { hint: deliveryHint(delivery), sweepAt }
}

function nameOfDelivery({ source, eventId, destination }: EventKey & Pick<DeliveryKey, 'destination'>): string {
  return `${source}/${eventId}\0${destination}`
}

function outcomeOf(history: readonly DeliveryMove[], move: DeliveryMove) {
  return { status: move.status, answer: move.answer, history: withMove(history, move) }
}

function isAbandoned({ status, leaseUntil }: Delivery, now: Date): boolean {
  return status === 'SENDING' && leaseUntil !== undefined && leaseUntil < now
}

function isOwn(delivery: Delivery, { owner }: DeliveryClaim, status: Delivery['status']): boolean {
  return delivery.owner === owner && delivery.status === status
}

/** Whether a move is made already: the answer to an earlier try of it was lost. */
function isLast(delivery: Delivery | undefined, { at, status, answer }: DeliveryMove): 'written' | 'lost' {
  const last = delivery?.status === status ? delivery.history.at(-1) : undefined
  return last?.at.getTime() === at.getTime() && last.answer === answer ? 'written' : 'lost'
}
