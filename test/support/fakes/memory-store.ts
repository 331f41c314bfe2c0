import { unavailable } from '../../../lib/errors.ts'
import { judgeOrder, type Order, type OrderJudgement, type OrderWrite } from '../../../lib/orders/order.ts'
import { type Judgement, judgePayment, type Payment, type PaymentWrite } from '../../../lib/payments/payment.ts'
import type { Clock } from '../../../lib/runtime/time.ts'
import type { Conflict, Effects } from '../../../lib/webhooks/apply.ts'
import type { EventReader } from '../../../lib/webhooks/detail.ts'
import {
  type EventKey,
  type EventStatus,
  type HistoryEntry,
  hintOf,
  type RetryHint,
  runsOf,
  type WebhookEvent,
  withEntry,
} from '../../../lib/webhooks/event.ts'
import type { BatchItem } from '../../../lib/webhooks/identity.ts'
import type { Beside, EventStore, InsertResult, PresentEvent, Repeated } from '../../../lib/webhooks/place.ts'
import type { Retention } from '../../../lib/webhooks/retention/retention.ts'
import type { DueEvent, DueEvents } from '../../../lib/webhooks/retry/scan.ts'
import type { Claim, RetryStore, Run } from '../../../lib/webhooks/retry/worker.ts'
import type { HintQueue } from '../../../lib/work/hints.ts'
import type { Ending } from '../../../lib/work/worker.ts'
import { MemoryDeliveries } from './memory-deliveries.ts'
import { endAfter, isAlive, isBefore } from './row-ends.ts'

/** An event and, while it waits for a run, the time at which the sweep looks at it. */
interface Row {
  readonly event: WebhookEvent
  readonly sweepAt: Date | undefined
}

export interface Sent {
  readonly hint: RetryHint
  readonly delayMs: number
}

/** A condition of the adapters that a test may leave out, to see that another test misses it. */
export type Guard =
  | 'insert: the event is new'
  | 'insert: the content is new'
  | 'insert: the content is as read'
  | 'insert: writes the effect'
  | 'claim: every condition'
  | 'claim: as many runs as the hint saw'
  | 'claim: charges the attempt'
  | 'finish: owner'
  | 'fail: owner'
  | 'finish, fail, release: status'
  | 'release: gives the attempt back'
  | 'due index: RECEIVED'
  | 'due index: PROCESSING'
  | 'due index: RETRY'
  | 'sweep: a time of its own'

export interface Options {
  /** Where the deliveries of events are written. */
  readonly deliveries?: MemoryDeliveries
  /** How long events are kept; for ten years if absent. */
  readonly retention?: Retention | undefined
  /** Says which rows are past their end; without it none is. */
  readonly clock?: Clock | undefined
  readonly without?: readonly Guard[]
  /** Told of every write of an event's row. */
  readonly moved?: (before: WebhookEvent | undefined, after: WebhookEvent) => void
}

const PAGE = 100

const TEN_YEARS: Retention = { daysOf: () => 3650, dedupeDays: 3650 }

/** What a payment write demands of the stored payment. */
const WANTED: Readonly<Record<PaymentWrite['mode'], Judgement>> = { advance: 'advances', fill: 'superseded' }

/** What an order write demands of the stored order. */
const WANTED_ORDER: Readonly<Record<OrderWrite['mode'], OrderJudgement>> = { advance: 'advances', fill: 'superseded' }

/** Events, payments, orders and the retry queue in memory, under the conditions of the DynamoDB and SQS adapters. */
export class MemoryStore {
  readonly events = new Map<string, Row>()
  readonly payments = new Map<string, Payment>()
  readonly orders = new Map<string, Order>()
  readonly queue: Sent[] = []
  /** How often the effects of each event were written. */
  readonly applied = new Map<string, number>()
  isStoreDown = false
  isQueueDown = false
  /** The event that had each content last, and until when that is known. */
  readonly #contents = new Map<string, Repeated & { readonly endsAt: Date }>()
  /** Until when the identities are known that outlive their events. */
  readonly #identities = new Map<string, Date>()
  /** The elements of each batch. */
  readonly items = new Map<string, readonly BatchItem[]>()
  readonly deliveries: MemoryDeliveries
  readonly #retention: Retention
  readonly #clock: Clock | undefined
  readonly #without: ReadonlySet<Guard>
  readonly #moved: Options['moved']

  constructor({ clock, deliveries, retention = TEN_YEARS, without = [], moved }: Options = {}) {
    this.deliveries = deliveries ?? new MemoryDeliveries({ clock })
    this.#retention = retention
    this.#clock = clock
    this.#without = new Set(without)
    this.#moved = moved
  }

  readonly eventStore: EventStore = {
    insert: async (event, effects, beside = {}) => {
      this.#reachStore()
      const known = this.#knownAs(event, beside)
      if (known) return known
      const hasEffect = event.status === 'PROCESSED' && this.#demands('insert: writes the effect')
      const blocked = hasEffect ? this.apply(event, effects) : undefined
      if (blocked) return blocked
      const { content, isIdentified, items, deliverTo = [] } = beside
      const { source, eventId, receivedAt: at } = event
      const { daysOf, dedupeDays } = this.#retention
      const knownUntil = endAfter(at, dedupeDays)
      if (content) {
        const { since, types } = content
        this.#contents.set(contentName(event, content), { eventId, at, since, types, endsAt: knownUntil })
      }
      if (isIdentified) this.#identities.set(nameOf(event), knownUntil)
      if (items) this.items.set(nameOf(event), items)
      const stored = { ...event, endsAt: endAfter(at, daysOf(source)) }
      this.deliveries.add(stored, deliverTo)
      this.#put(stored, event.status === 'RECEIVED' && !event.held ? at : event.nextRetryAt)
      return { kind: 'inserted' }
    },

    forget: async () => {},

    noteConflict: async (read, at) => {
      this.#reachStore()
      const row = this.events.get(nameOf(read))
      const count = read.idConflict?.count
      if (!row || row.event.idConflict?.count !== count) return
      this.#put({ ...row.event, idConflict: { count: (count ?? 0) + 1, lastAt: at } }, row.sweepAt)
    },
  }

  readonly eventReader: EventReader = {
    find: async (key) => {
      this.#reachStore()
      return this.find(key)
    },

    head: async (key) => {
      this.#reachStore()
      return this.find(key)
    },

    items: async (key, count) => {
      this.#reachStore()
      const isOver = this.#row(key) && !this.find(key)
      return isOver ? [] : (this.items.get(nameOf(key)) ?? []).slice(0, count)
    },
  }

  readonly retryStore: RetryStore = {
    claim: async (claim) => {
      this.#reachStore()
      const event = this.find(claim)
      if (!event) return { kind: 'refused', event }
      const body = async () => event.payload
      if (!isAlive(event, claim.now) || !this.#isClaimable(event, claim)) {
        return isOwn(event, claim, ['PROCESSING', 'RETRY'])
          ? { kind: 'claimed', event, body }
          : { kind: 'refused', event }
      }
      const { owner, leaseUntil, now, n } = claim
      const entry = n === 0 ? FIRST_RUN : RETRY
      const attempts = n > 0 && this.#demands('claim: charges the attempt') ? n : event.attempts
      const claimed = moved(event, { ...entry, at: now }, { owner, leaseUntil, attempts })
      this.#put(claimed, leaseUntil)
      return { kind: 'claimed', event: claimed, body }
    },

    finish: async (claim, _event, effects, at) => {
      this.#reachStore()
      const event = this.#row(claim)?.event
      if (!event || !this.#isMine(event, claim, 'finish: owner')) return this.#endingOf(claim, 'PROCESSED')
      const blocked = this.apply(event, effects)
      if (blocked) return blocked
      const outcome = effects.outcome ?? event.outcome
      const changes = { ...SETTLED, processedAt: at, errorMessage: undefined, outcome }
      this.#put(moved(event, { at, status: 'PROCESSED', by: runner(claim) }, changes), undefined)
      return { kind: 'written' }
    },

    writeItems: async (event, items) => {
      this.#reachStore()
      const there = this.items.get(nameOf(event)) ?? []
      this.items.set(nameOf(event), [...there, ...items.slice(there.length)])
    },

    fail: async (claim, _event, { at, errorMessage, nextRetryAt }) => {
      this.#reachStore()
      const event = this.#row(claim)?.event
      if (!event || !this.#isMine(event, claim, 'fail: owner')) return this.#endingOf(claim, 'FAILED')
      const attempts = this.#demands('claim: charges the attempt') ? event.attempts : event.attempts + 1
      const changes = { attempts, errorMessage, nextRetryAt, dead: nextRetryAt === undefined, leaseUntil: undefined }
      this.#put(moved(event, { at, status: 'FAILED', by: runner(claim), error: errorMessage }, changes), nextRetryAt)
      return { kind: 'written' }
    },

    release: async (claim, _event, at) => {
      this.#reachStore()
      const event = this.#row(claim)?.event
      const status = claim.n === 0 ? 'RECEIVED' : 'FAILED'
      if (!event || !this.#demands('release: gives the attempt back')) return { kind: 'lost' }
      if (!this.#isMine(event, claim, 'fail: owner')) return this.#endingOf(claim, status)
      const waiting = claim.n === 0 ? {} : { attempts: claim.n - 1, nextRetryAt: at }
      const changes = { ...waiting, leaseUntil: undefined }
      this.#put(moved(event, { at, status, by: runner(claim), error: 'not counted' }, changes), at)
      return { kind: 'written' }
    },

    exhaust: async (hint, at, errorMessage) => {
      this.#reachStore()
      const event = this.#row(hint)?.event
      if (!event || runsOf(event) !== hint.n) return { kind: 'lost' }
      if (event.status !== 'RECEIVED' && !isWaiting(event) && !isAbandoned(event, at)) return { kind: 'lost' }
      const changes = { ...SETTLED, errorMessage, dead: true }
      const ended = moved(event, { at, status: 'FAILED', by: 'retry', error: errorMessage }, changes)
      this.#put(ended, undefined)
      return { kind: 'written', event: ended }
    },
  }

  readonly dueEvents: DueEvents = {
    dueBy: (now) => this.#dueBy(now),
    postponeScan: async (hint, until) => {
      this.#reachStore()
      const row = this.events.get(nameOf(hint))
      if (!row?.sweepAt || runsOf(row.event) !== hint.n) return
      const event = this.#demands('sweep: a time of its own') ? row.event : { ...row.event, nextRetryAt: until }
      this.#put(event, until)
    },
  }

  readonly retryQueue: HintQueue<RetryHint> = {
    send: async (hint, delayMs) => {
      if (this.isQueueDown) throw unavailable(new Error('the queue is down'))
      this.queue.push({ hint, delayMs })
    },
  }

  /** The event as it stands, whether the store is down or not. */
  find(key: EventKey): WebhookEvent | undefined {
    const event = this.#row(key)?.event
    return event && this.#isThere(event) ? event : undefined
  }

  /** Also if it is past its end. */
  #row(key: EventKey): Row | undefined {
    return this.events.get(nameOf(key))
  }

  #isThere({ endsAt }: WebhookEvent): boolean {
    return !this.#clock || isBefore(this.#clock.now(), endsAt)
  }

  #endingOf(claim: Run, status: EventStatus): Ending {
    const event = this.find(claim)
    return { kind: event && isOwn(event, claim, [status]) ? 'written' : 'lost' }
  }

  /** Writes the effects of an event, of which it has at most one, as its transaction does. */
  apply(event: EventKey, { payment, order }: Effects): Conflict | undefined {
    const blocked = this.#pay(payment) ?? this.#order(order)
    if (!blocked) this.applied.set(nameOf(event), (this.applied.get(nameOf(event)) ?? 0) + 1)
    return blocked
  }

  #pay(write: PaymentWrite | undefined): Conflict | undefined {
    if (!write) return undefined
    const { mode, change } = write
    const stored = this.payments.get(change.transactionId)
    if (stored && judgePayment(stored, change) !== WANTED[mode]) return { kind: 'blocked', by: 'payment', stored }
    if (!stored && mode === 'fill') throw new Error('a condition failed without showing its row')
    this.payments.set(change.transactionId, merged(mode, stored, change))
    return undefined
  }

  #order(write: OrderWrite | undefined): Conflict | undefined {
    if (!write) return undefined
    const { mode, change } = write
    const stored = this.orders.get(change.orderId)
    if (stored && judgeOrder(stored, change) !== WANTED_ORDER[mode]) return { kind: 'blocked', by: 'order', stored }
    if (!stored && mode === 'fill') throw new Error('a condition failed without showing its row')
    this.orders.set(change.orderId, merged(mode, stored, change))
    return undefined
  }

  #knownAs(event: WebhookEvent, beside: Beside): InsertResult | undefined {
    const { receivedAt } = event
    const isNew = this.#demands('insert: the event is new')
    const present = this.#row(event)?.event
    if (isNew && present && isBefore(receivedAt, present.endsAt)) return { kind: 'present', event: comparedIn(present) }
    const last = this.#lastWith(event, beside)
    if (last) return { kind: 'repeated', last }
    const knownUntil = isNew && beside.isIdentified && this.#identities.get(nameOf(event))
    return knownUntil && isBefore(receivedAt, knownUntil) ? { kind: 'ended' } : undefined
  }

  /** The last event with the same content, unless it may be replaced. */
  #lastWith(event: WebhookEvent, { content }: Beside): Repeated | undefined {
    const known = content && this.#contents.get(contentName(event, content))
    if (!known || known.eventId === content.last?.eventId || !isBefore(event.receivedAt, known.endsAt)) return undefined
    const { endsAt: _, ...last } = known
    return this.#demands(content.last ? 'insert: the content is as read' : 'insert: the content is new')
      ? last
      : undefined
  }

  async *#dueBy(now: Date): AsyncGenerator<readonly DueEvent[]> {
    this.#reachStore()
    const due = [...this.events.values()]
      .filter(({ event, sweepAt }) => sweepAt !== undefined && sweepAt <= now && this.#isThere(event))
      .map(({ event }) => ({ hint: hintOf(event), since: dueSince(event) ?? now }))
    for (let start = 0; start === 0 || start < due.length; start += PAGE) yield due.slice(start, start + PAGE)
  }

  #reachStore(): void {
    if (this.isStoreDown) throw unavailable(new Error('the store is down'))
  }

  #demands(guard: Guard): boolean {
    return !this.#without.has(guard)
  }

  #put(event: WebhookEvent, sweepAt: Date | undefined): void {
    const name = nameOf(event)
    const before = this.events.get(name)?.event
    const isIndexed = INDEXED.every(([status, guard]) => event.status !== status || this.#demands(guard))
    this.events.set(name, { event, sweepAt: isIndexed ? sweepAt : undefined })
    this.#moved?.(before, event)
  }

  #isClaimable(event: WebhookEvent, { n, maxAttempts, now }: Claim): boolean {
    if (!this.#demands('claim: every condition')) return true
    if (runsOf(event) !== n && this.#demands('claim: as many runs as the hint saw')) return false
    if (n === 0) return event.status === 'RECEIVED' && !event.held
    const isDue = event.status === 'FAILED' && event.nextRetryAt !== undefined && event.nextRetryAt <= now
    return n - 1 < maxAttempts && (isDue || isAbandoned(event, now))
  }

  #isMine(event: WebhookEvent, { owner }: Run, guard: Guard): boolean {
    const isOwner = event.owner === owner || !this.#demands(guard)
    return isOwner && (isRunning(event) || !this.#demands('finish, fail, release: status'))
  }
}

const FIRST_RUN = { status: 'PROCESSING', by: 'worker' } as const
const RETRY = { status: 'RETRY', by: 'retry' } as const

/** The statuses in which a row waits for a run without being FAILED. */
const INDEXED: readonly (readonly [EventStatus, Guard])[] = [
  ['RECEIVED', 'due index: RECEIVED'],
  ['PROCESSING', 'due index: PROCESSING'],
  ['RETRY', 'due index: RETRY'],
]

/** What a row loses when nothing waits any more. */
const SETTLED = { leaseUntil: undefined, nextRetryAt: undefined } as const

export function nameOf({ source, eventId }: EventKey): string {
  return `${source}\0${eventId}`
}

function contentName({ source }: EventKey, { sha256 }: NonNullable<Beside['content']>): string {
  return `${source}#${sha256}`
}

function runner({ n }: Run): HistoryEntry['by'] {
  return n === 0 ? 'worker' : 'retry'
}

function moved(event: WebhookEvent, entry: HistoryEntry, changes: Partial<WebhookEvent>): WebhookEvent {
  return { ...event, ...changes, status: entry.status, history: withEntry(event.history, entry) }
}

function dueSince({ status, receivedAt, nextRetryAt, leaseUntil }: WebhookEvent): Date | undefined {
  if (status === 'RECEIVED') return receivedAt
  return status === 'FAILED' ? nextRetryAt : leaseUntil
}

function isWaiting({ status, nextRetryAt }: WebhookEvent): boolean {
  return status === 'FAILED' && nextRetryAt !== undefined
}

function isRunning({ status }: WebhookEvent): boolean {
  return status === 'PROCESSING' || status === 'RETRY'
}

function isAbandoned(event: WebhookEvent, now: Date): boolean {
  return isRunning(event) && event.leaseUntil !== undefined && event.leaseUntil < now
}

function isOwn(event: WebhookEvent, { owner }: Run, statuses: readonly EventStatus[]): boolean {
  return event.owner === owner && statuses.includes(event.status)
}

/** The row that a write leaves behind. */
function merged<R extends object>(mode: 'advance' | 'fill', stored: R | undefined, change: R): R {
  const [under, over] = mode === 'advance' ? [stored, change] : [change, stored]
  return { ...change, ...definedOf(under), ...definedOf(over) }
}

function definedOf<R extends object>(row: R | undefined): Partial<R> {
  return Object.fromEntries(Object.entries(row ?? {}).filter(([, value]) => value !== undefined)) as Partial<R>
}

/** What a copy of an event is compared with. */
function comparedIn(event: WebhookEvent): PresentEvent {
  const { id, source, eventId, receivedAt, payloadSha256, contentSha256, idConflict } = event
  return { id, source, eventId, receivedAt, payloadSha256, contentSha256, idConflict }
}
