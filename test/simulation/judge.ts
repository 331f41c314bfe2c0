import { type PaymentStatus, RANK } from '../../lib/payments/payment.ts'
import { type EventStatus, runsOf, type WebhookEvent } from '../../lib/webhooks/event.ts'
import { type MemoryStore, nameOf } from '../support/fakes/memory-store.ts'
import { POLICY } from '../support/fakes/webhooks.ts'
import type { EventSpec } from './event-spec.ts'
import type { WeatherName } from './faults.ts'
import type { Process } from './process.ts'

/** Spec 3.1 and the decisions: what may follow a status. */
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
  readonly #specs: ReadonlyMap<string, EventSpec>
  readonly #now: () => number
  readonly #violations = new Set<string>()
  readonly #acknowledged = new Map<string, number>()
  readonly #processed = new Map<string, number>()
  /** Runs by the worker that nobody gave back. */
  readonly #charged = new Map<string, number>()
  readonly #runners = new Set<string>()

  constructor(weather: WeatherName, specs: ReadonlyMap<string, EventSpec>, now: () => number) {
    this.#weather = weather
    this.#specs = specs
    this.#now = now
  }

  acknowledged({ id }: EventSpec): void {
    if (!this.#acknowledged.has(id)) this.#acknowledged.set(id, this.#now())
  }

  /** A worker begins to run the handler. */
  ran({ id }: EventSpec, { owner }: Process): void {
    this.#charged.set(id, (this.#charged.get(id) ?? 0) + 1)
    if (owner) this.#runners.add(owner)
  }

  /** A run was ended by one owner, and the row says who it belonged to. */
  ended(by: string, owner: string | undefined): void {
    if (by !== owner) this.#violate('a run that was ended by who did not own it')
  }

  moved(before: WebhookEvent | undefined, after: WebhookEvent): void {
    if (before?.history === after.history) return
    const from = before?.status ?? 'none'
    const move = `${from} → ${after.status}`
    if (!NEXT[from].includes(after.status)) this.#violate(`illegal move ${move}`)
    if (after.attempts > POLICY.maxAttempts) this.#violate('more attempts than allowed')
    if (before) this.#checkCharge(before, after, move)
    if (before) this.#checkTime(before, after)
    if (after.status === 'PROCESSED') this.#processed.set(this.#idOf(after), this.#now())
  }

  #checkCharge(before: WebhookEvent, after: WebhookEvent, move: string): void {
    const isGivenBack = runsOf(after) < runsOf(before)
    if (isGivenBack && this.#runners.delete(before.owner ?? '')) {
      this.#charged.set(this.#idOf(after), (this.#charged.get(this.#idOf(after)) ?? 0) - 1)
    }
    const wanted = after.status === 'RETRY' ? [1] : [0, -1]
    if (!wanted.includes(after.attempts - before.attempts))
      this.#violate(`attempts not charged as they should: ${move}`)
  }

  #checkTime(before: WebhookEvent, after: WebhookEvent): void {
    const latest = LATEST[this.#weather]
    const due = before.status === 'RECEIVED' ? before.receivedAt : before.nextRetryAt
    const isBegun = after.status === 'PROCESSING' || (before.status === 'FAILED' && after.status === 'RETRY')
    if (latest === undefined || due === undefined || !isBegun) return
    const late = this.#now() - due.getTime()
    if (late < 0) this.#violate('a run before it was due')
    if (late > latest) this.#violate('a run long after it was due')
  }

  /** Everything that went wrong by the end. */
  verdict(store: MemoryStore): readonly string[] {
    const rows = [...store.events.values()].map(({ event }) => event)
    for (const row of rows) this.#checkEnd(row, store.applied.get(nameOf(row)) ?? 0)
    for (const spec of this.#specs.values()) this.#checkSpec(spec, rows, store)
    this.#checkPayments(rows, store)
    return [...this.#violations]
  }

  #checkEnd(row: WebhookEvent, applied: number): void {
    const { status, dead, attempts, nextRetryAt } = row
    if (status !== 'PROCESSED' && !dead) this.#violate(`an event ends ${status}`)
    if (dead && (attempts !== POLICY.maxAttempts || nextRetryAt !== undefined)) this.#violate('dead before its time')
    if (applied !== (status === 'PROCESSED' ? 1 : 0)) this.#violate(`${applied} effects of an event that is ${status}`)
    if (UNINTERRUPTED.has(this.#weather) && dead !== this.#isHopeless(row)) {
      this.#violate('an event that nothing stopped is dead')
    }
  }

  #isHopeless(row: WebhookEvent): boolean {
    const spec = this.#specs.get(this.#idOf(row))
    return spec !== undefined && (spec.isPoison || spec.failures > POLICY.maxAttempts)
  }

  #checkSpec(spec: EventSpec, rows: readonly WebhookEvent[], store: MemoryStore): void {
    const own = rows.filter((row) => this.#idOf(row) === spec.id)
    const acknowledgedAt = this.#acknowledged.get(spec.id)
    if (acknowledgedAt !== undefined && own.length === 0) this.#violate('an acknowledged event is lost')
    const applied = own.reduce((sum, row) => sum + (store.applied.get(nameOf(row)) ?? 0), 0)
    if (applied > 1) this.#violate('two effects of one body')
    const allowed = POLICY.maxAttempts + (spec.isHandedOver ? 1 : 0)
    const charged = this.#charged.get(spec.id) ?? 0
    if (charged > allowed) this.#violate('more runs than allowed')
    this.#checkPromptness(spec, acknowledgedAt)
  }

  #checkPromptness({ id, failures, isPoison }: EventSpec, acknowledgedAt: number | undefined): void {
    if (this.#weather !== 'calm' || failures > 0 || isPoison || acknowledgedAt === undefined) return
    const late = (this.#processed.get(id) ?? Number.POSITIVE_INFINITY) - acknowledgedAt
    if (late > 1000) this.#violate('a new acknowledged event was not processed at once')
  }

  /** The stored payment is the highest of what was processed, and there is none of what was not. */
  #checkPayments(rows: readonly WebhookEvent[], store: MemoryStore): void {
    const highest = new Map<string, PaymentStatus>()
    for (const row of rows) {
      const payment = row.status === 'PROCESSED' ? this.#specs.get(this.#idOf(row))?.payment : undefined
      if (!payment) continue
      const { transactionId, status } = payment
      const known = highest.get(transactionId)
      if (!known || RANK[status] > RANK[known]) highest.set(transactionId, status)
    }
    const stored = [...store.payments.values()].map(({ transactionId, status }) => `${transactionId} ${status}`)
    const wanted = [...highest].map(([transactionId, status]) => `${transactionId} ${status}`)
    if (stored.sort().join() !== wanted.sort().join()) this.#violate(`payments ${stored} instead of ${wanted}`)
  }

  #idOf({ payload }: WebhookEvent): string {
    return payload.toString()
  }

  #violate(what: string): void {
    this.#violations.add(what)
  }
}
