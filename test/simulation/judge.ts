import { type PaymentStatus, RANK } from '../../lib/payments/payment.ts'
import { type EventStatus, runsOf, type WebhookEvent } from '../../lib/webhooks/event.ts'
import type { BatchItem } from '../../lib/webhooks/identity.ts'
import type { Acceptance } from '../../lib/webhooks/inbox.ts'
import { ITEMS_AT_ONCE } from '../../lib/webhooks/place.ts'
import { type MemoryStore, nameOf } from '../support/fakes/memory-store.ts'
import { POLICY } from '../support/fakes/webhooks.ts'
import { type Delivery, NAME_HEADER } from './delivery.ts'
import type { EventSpec } from './event-spec.ts'
import { WEATHERS, type WeatherName } from './faults.ts'
import { IdentityJudge, isCopy } from './identity-judge.ts'
import type { Process } from './process.ts'
import { elementsOf } from './sources.ts'

/** The statuses that may follow each status (retries-1 to retries-9). */
const NEXT: Readonly<Record<EventStatus | 'none', readonly EventStatus[]>> = {
  none: ['RECEIVED', 'PROCESSED', 'FAILED'],
  RECEIVED: ['PROCESSING'],
  // Back to RECEIVED and FAILED also when an outage ended the run, with the attempt given back.
  PROCESSING: ['PROCESSED', 'FAILED', 'RETRY', 'RECEIVED'],
  RETRY: ['PROCESSED', 'FAILED', 'RETRY'],
  // FAILED for good.
  FAILED: ['RETRY', 'FAILED'],
  PROCESSED: [],
}

/** How late a run may come after it was due, in milliseconds, where nothing but that weather is in the way. */
const LATEST: Readonly<Partial<Record<WeatherName, number>>> = { calm: 2000, deaf: POLICY.scanInterval + 1000 }

/** Weathers in which no process dies or stands still. */
const UNINTERRUPTED: ReadonlySet<WeatherName> = new Set(['calm', 'deaf', 'outage'])

/** Watches a world and says in the end what went wrong. */
export class Judge {
  readonly #weather: WeatherName
  readonly #deliveries: ReadonlyMap<string, Delivery>
  readonly #store: () => MemoryStore
  readonly #now: () => number
  readonly #identity: IdentityJudge
  readonly #violations = new Set<string>()
  // By the name of a delivery, of the event that it became:
  readonly #acknowledged = new Map<string, number>()
  readonly #processed = new Map<string, number>()
  readonly #due = new Map<string, Date | undefined>()
  /** Runs by the worker that nobody gave back. */
  readonly #charged = new Map<string, number>()
  readonly #runners = new Set<string>()

  /** @param now milliseconds since the epoch */
  constructor(
    weather: WeatherName,
    deliveries: ReadonlyMap<string, Delivery>,
    store: () => MemoryStore,
    now: () => number,
  ) {
    this.#weather = weather
    this.#deliveries = deliveries
    this.#store = store
    this.#now = now
    this.#identity = new IdentityJudge({
      skew: WEATHERS[weather].skew,
      find: (key) => store().find(key),
      violate: (what) => this.#violate(what),
    })
  }

  acknowledged(delivery: Delivery, acceptance: Acceptance): void {
    this.#acknowledged.set(delivery.name, this.#now())
    this.#identity.acknowledged(delivery, acceptance, LATEST[this.#weather] !== undefined)
  }

  refused({ spec }: Delivery): void {
    if (this.#weather === 'calm' && !isFaulty(spec)) this.#violate('a call is refused although nothing failed')
  }

  /** A worker begins to run the handler. */
  ran({ name }: Delivery, { owner }: Process): void {
    this.#charged.set(name, (this.#charged.get(name) ?? 0) + 1)
    if (owner) this.#runners.add(owner)
  }

  /** A run was ended by one owner, and the row says who it belonged to. */
  ended(by: string, owner: string | undefined): void {
    if (by !== owner) this.#violate('a run that was ended by who did not own it')
  }

  moved(before: WebhookEvent | undefined, after: WebhookEvent): void {
    if (before) this.#identity.noted(before, after)
    if (before?.history === after.history) return
    const delivery = this.#deliveryOf(after)
    const from = before?.status ?? 'none'
    const move = `${from} → ${after.status}`
    if (!NEXT[from].includes(after.status)) this.#violate(`illegal move ${move}`)
    if (after.attempts > POLICY.maxAttempts) this.#violate('more attempts than allowed')
    if (before) this.#checkMove(before, after, move)
    else this.#checkNew(after, delivery)
    this.#due.set(delivery.name, after.status === 'RECEIVED' ? after.receivedAt : after.nextRetryAt)
    this.#checkElements(after, delivery.spec)
    if (after.status === 'PROCESSED') this.#processed.set(delivery.name, this.#now())
  }

  #checkNew(row: WebhookEvent, delivery: Delivery): void {
    this.#identity.stored(row, delivery)
    if (this.#elementsWith(row).length > ITEMS_AT_ONCE) this.#violate('more elements at once than an insert takes')
  }

  #elementsWith(row: WebhookEvent): readonly BatchItem[] {
    return this.#store().items.get(nameOf(row)) ?? []
  }

  #checkMove(before: WebhookEvent, after: WebhookEvent, move: string): void {
    this.#checkCharge(before, after, move)
    this.#checkTime(before, after, this.#due.get(this.#deliveryOf(after).name))
    this.#checkDistance(before, after)
  }

  /** A small batch has its elements from the first, a large one as soon as it is processed. */
  #checkElements(row: WebhookEvent, spec: EventSpec): void {
    if (row.status !== 'PROCESSED' && spec.elements > ITEMS_AT_ONCE) return
    const found = this.#elementsWith(row)
    if (JSON.stringify(found) !== JSON.stringify(elementsOf(spec))) this.#violate('a batch without its elements')
  }

  #checkCharge(before: WebhookEvent, after: WebhookEvent, move: string): void {
    const isGivenBack = runsOf(after) < runsOf(before)
    if (isGivenBack && this.#runners.delete(before.owner ?? '')) {
      const { name } = this.#deliveryOf(after)
      this.#charged.set(name, (this.#charged.get(name) ?? 0) - 1)
    }
    const wanted = after.status === 'RETRY' ? [1] : [0, -1]
    if (!wanted.includes(after.attempts - before.attempts))
      this.#violate(`attempts not charged as they should: ${move}`)
  }

  /** @param due as it stood when the row began to wait */
  #checkTime(before: WebhookEvent, after: WebhookEvent, due: Date | undefined): void {
    const latest = LATEST[this.#weather]
    const isBegun = after.status === 'PROCESSING' || (before.status === 'FAILED' && after.status === 'RETRY')
    if (latest === undefined || due === undefined || !isBegun) return
    const late = this.#now() - due.getTime()
    if (late < 0) this.#violate('a run before it was due')
    if (late > latest) this.#violate('a run long after it was due')
  }

  /** However late a run came, the next one keeps the distance of the delays; a run that does not count has none. */
  #checkDistance(before: WebhookEvent, { attempts, nextRetryAt, ...after }: WebhookEvent): void {
    const begun = before.history.at(-1)?.at
    if (!nextRetryAt || !begun || after.status !== 'FAILED' || before.attempts !== attempts) return
    const [last = 0, next = 0] = [0, ...POLICY.delays].slice(attempts)
    if (nextRetryAt.getTime() - begun.getTime() < next - last) this.#violate('a retry too close to the run before it')
  }

  /** Everything that went wrong by the end. */
  verdict(): readonly string[] {
    const rows = [...this.#store().events.values()].map(({ event }) => event)
    for (const [index, row] of rows.entries()) {
      this.#checkEnd(row)
      this.#checkRuns(this.#deliveryOf(row))
      this.#checkElements(row, this.#deliveryOf(row).spec)
      this.#checkEffects(row, rows.slice(index + 1))
    }
    this.#checkPayments(rows)
    return [...this.#violations]
  }

  #checkEnd(row: WebhookEvent): void {
    const { status, dead, attempts, nextRetryAt, held } = row
    // It waits for an operator.
    if (held && status === 'RECEIVED') return
    if (status !== 'PROCESSED' && !dead) this.#violate(`an event ends ${status}`)
    if (dead && (attempts !== POLICY.maxAttempts || nextRetryAt !== undefined)) this.#violate('dead before its time')
    if (UNINTERRUPTED.has(this.#weather) && dead !== isHopeless(this.#deliveryOf(row).spec)) {
      this.#violate('an event that nothing stopped is dead')
    }
  }

  /** @param later the rows that were stored later */
  #checkEffects(row: WebhookEvent, later: readonly WebhookEvent[]): void {
    const { status } = row
    const own = this.#appliedTo(row)
    if (own !== (status === 'PROCESSED' ? 1 : 0)) this.#violate(`${own} effects of an event that is ${status}`)
    const copies = later.filter((other) => isCopy(this.#deliveryOf(other), this.#deliveryOf(row)))
    const applied = copies.reduce((sum, copy) => sum + this.#appliedTo(copy), own)
    if (applied > 1) this.#violate('two effects of one event')
  }

  #checkRuns(delivery: Delivery): void {
    const allowed = POLICY.maxAttempts + (delivery.spec.isHandedOver ? 1 : 0)
    if ((this.#charged.get(delivery.name) ?? 0) > allowed) this.#violate('more runs than allowed')
    this.#checkPromptness(delivery)
  }

  #appliedTo(row: WebhookEvent): number {
    return this.#store().applied.get(nameOf(row)) ?? 0
  }

  #checkPromptness({ name, spec }: Delivery): void {
    const acknowledgedAt = this.#acknowledged.get(name)
    if (this.#weather !== 'calm' || isFaulty(spec) || acknowledgedAt === undefined) return
    const late = (this.#processed.get(name) ?? Number.POSITIVE_INFINITY) - acknowledgedAt
    if (late > 1000) this.#violate('a new acknowledged event was not processed at once')
  }

  /** The stored payment is the highest of what was processed, and there is none of what was not. */
  #checkPayments(rows: readonly WebhookEvent[]): void {
    const highest = new Map<string, PaymentStatus>()
    for (const row of rows) {
      const payment = row.status === 'PROCESSED' ? this.#deliveryOf(row).spec.payment : undefined
      if (!payment) continue
      const { transactionId, status } = payment
      const known = highest.get(transactionId)
      if (!known || RANK[status] > RANK[known]) highest.set(transactionId, status)
    }
    const stored = [...this.#store().payments.values()].map(({ transactionId, status }) => `${transactionId} ${status}`)
    const wanted = [...highest].map(([transactionId, status]) => `${transactionId} ${status}`)
    if (stored.sort().join() !== wanted.sort().join()) this.#violate(`payments ${stored} instead of ${wanted}`)
  }

  #deliveryOf({ headers }: WebhookEvent): Delivery {
    const delivery = this.#deliveries.get(headers[NAME_HEADER] ?? '')
    if (!delivery) throw new Error('a record without its delivery')
    return delivery
  }

  #violate(what: string): void {
    this.#violations.add(what)
  }
}

/** Whether a handler fails, be it once. */
function isFaulty({ failures, isPoison }: EventSpec): boolean {
  return failures > 0 || isPoison
}

/** Whether a handler fails in every run that it may have. */
function isHopeless({ failures, isPoison }: EventSpec): boolean {
  return isPoison || failures > POLICY.maxAttempts
}
