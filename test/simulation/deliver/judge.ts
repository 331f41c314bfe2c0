import type { Health } from '../../../lib/deliver/breaker.ts'
import type { Delivery, DeliveryHint } from '../../../lib/deliver/delivery.ts'
import { type Destination, leaseOf } from '../../../lib/deliver/destination.ts'
import type { DeliveryClaim } from '../../../lib/deliver/stores.ts'
import type { MemoryDeliveries } from '../../support/fakes/memory-deliveries.ts'
import type { DeliverCourse } from './course.ts'

/** A call of a destination. */
interface Call {
  /** Of the delivery. */
  readonly name: string
  readonly destination: string
  readonly isProbe: boolean
  /** The state of the circuit when the worker looked. */
  readonly saw: Health['state'] | undefined
}

interface JudgeParts {
  readonly course: DeliverCourse
  readonly destination: Destination
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

const NEXT: Readonly<Record<Delivery['status'] | 'none', readonly Delivery['status'][]>> = {
  none: ['PENDING'],
  PENDING: ['PENDING', 'SENDING', 'DEAD'],
  SENDING: ['SENDING', 'PENDING', 'DELIVERED', 'DEAD'],
  // Only an operator's order leads back.
  DELIVERED: ['PENDING'],
  DEAD: ['PENDING'],
}

/** Weathers in which no process dies or stands still. */
const UNINTERRUPTED: readonly string[] = ['calm', 'deaf', 'outage']

/** Weathers in which calls of the store and the queue succeed. */
const RELIABLE: readonly string[] = ['calm', 'deaf']

/** Of the scan, in milliseconds. */
const PROBE_PAUSE = 60_000
const HINT_PAUSE = 300_000
/** Two scans at a time may see the same delivery. */
const SAME_TIME = 2000

/** What a delivery takes that nothing holds up, in milliseconds. */
const PROMPT = 10_000

/** How late a due try may be where no message arrives but those of the scan, in milliseconds: one scan, one call. */
const LATE = 70_000

/** Longer than any Retry-After here, and by how much clocks differ, in milliseconds. */
const LONGEST_RETRY_AFTER = 90_000
const SKEW = 15_000

/** Watches a world of deliveries and says in the end what went wrong. */
export class DeliverJudge {
  readonly #parts: JudgeParts
  readonly #violations = new Set<string>()
  readonly #accepted = new Set<string>()
  // By the name of a delivery: calls since its last order, and tries that were given back; the last probe.
  readonly #calls = new Map<string, number>()
  readonly #spared = new Map<string, number>()
  readonly #taken = new Set<string>()
  readonly #probing = new Set<string>()
  /** Deliveries whose destination was called since they were claimed last. */
  readonly #made = new Set<string>()
  /** Destinations whose circuit was not always closed. */
  readonly #stopped = new Set<string>()
  /** When the scan hinted last: at a delivery with so many tries, at a probe of a destination. */
  readonly #hinted = new Map<string, number>()

  constructor(parts: JudgeParts) {
    this.#parts = parts
  }

  accepted(names: readonly string[]): void {
    for (const name of names) this.#accepted.add(name)
  }

  moved(name: string, before: Delivery | undefined, after: Delivery): void {
    const isOrder = after.orderedAt !== before?.orderedAt
    this.#checkMove(before?.status ?? 'none', after.status, isOrder)
    if (isOrder) {
      this.#calls.set(name, 0)
      this.#spared.set(name, 0)
      this.#forgetHints(name)
    }
    if (after.status !== before?.status) this.#checkOver(name, after)
    if (before && !isOrder) this.#checkStep(name, before, after)
  }

  /** From here on the number of tries counts anew. */
  #forgetHints(name: string): void {
    for (const key of this.#hinted.keys()) if (key.startsWith(`${name} `)) this.#hinted.delete(key)
  }

  #checkMove(from: Delivery['status'] | 'none', to: Delivery['status'], isOrder: boolean): void {
    const isOver = from === 'DELIVERED' || from === 'DEAD'
    if (!NEXT[from].includes(to) || (isOver && !isOrder)) this.violate(`illegal move ${from} → ${to}`)
  }

  #checkOver(name: string, after: Delivery): void {
    if (after.status === 'DEAD') this.#checkDead(after)
    if (after.status !== 'DELIVERED') return
    if (!this.#taken.has(name)) this.violate('delivered, and never taken')
    this.#checkPrompt(after)
  }

  #checkStep(name: string, before: Delivery, after: Delivery): void {
    if (before.status === 'SENDING' && after.status !== 'SENDING') this.#checkEnd(name, before, after)
    if (before.status !== 'PENDING' || after.status !== 'PENDING') return
    // Only the scan's mark may change; it is not part of the delivery.
    if (after.history !== before.history || after.dueAt !== before.dueAt)
      this.violate('illegal move PENDING → PENDING without an order')
  }

  #checkEnd(name: string, before: Delivery, after: Delivery): void {
    const isGivenBack = after.status === 'PENDING' && after.attempts < before.attempts
    if (isGivenBack) {
      this.#spared.set(name, (this.#spared.get(name) ?? 0) + 1)
      this.#forgetHints(name)
      if (this.#made.has(name) && !this.#probing.has(name)) this.violate('a try that was made and given back')
    }
    const isCharged = after.status === 'PENDING' && !isGivenBack
    if (this.#probing.delete(name) && isCharged) this.violate('a probe that was charged')
  }

  #checkDead({ receivedAt, orderedAt = receivedAt, answer }: Delivery): void {
    if (answer === 'no such destination') return
    const { now, destination } = this.#parts
    const longest = Math.max(...destination.delays, LONGEST_RETRY_AFTER) * 1.2 + SKEW
    if (now() + longest < orderedAt.getTime() + destination.giveUpAfter) this.violate('given up too early')
  }

  /** Where the first call is taken, no store fails and nobody interferes. */
  #checkPrompt({ receivedAt, orderedAt, destination }: Delivery): void {
    const { course, now } = this.#parts
    const index = Number(destination.slice(1))
    const isHeldUp =
      course.sky !== 'calm' ||
      orderedAt !== undefined ||
      course.manners[index]?.some((manner) => manner !== 'takes') ||
      course.deeds.some(({ deed }) => deed === 'disable' || deed === 'remove')
    if (!isHeldUp && now() - receivedAt.getTime() > PROMPT) this.violate('a delivery that nothing held up came late')
  }

  /** A claim was granted on that row. */
  claimed(row: Delivery, claim: DeliveryClaim): void {
    const { status, dueAt, leaseUntil, owner } = row
    const name = `${row.eventId} to ${row.destination}`
    this.#probing.delete(name)
    this.#made.delete(name)
    const now = claim.now.getTime()
    if (status === 'PENDING' && dueAt && dueAt.getTime() > now) this.violate('a try before it was due')
    if (status === 'PENDING' && dueAt) this.#checkLate(row, now - dueAt.getTime())
    if (status === 'SENDING' && owner !== claim.owner && leaseUntil && leaseUntil.getTime() >= now)
      this.violate('a try that was taken over within its lease')
  }

  /** Where calls succeed and nothing stops or holds the destination, the scan at least comes. */
  #checkLate({ attempts, orderedAt, destination }: Delivery, late: number): void {
    const { course } = this.#parts
    const isHeld = this.#stopped.has(destination) || course.manners[Number(destination.slice(1))]?.includes('busy')
    if (!RELIABLE.includes(course.sky) || isHeld) return
    const isNew = attempts === 0 && orderedAt === undefined
    if (late > LATE + (isNew ? leaseOf(this.#parts.destination) : 0)) this.violate('a try long after it was due')
  }

  /** The circuit of a destination is not closed. */
  stopped(destination: string): void {
    this.#stopped.add(destination)
  }

  /** A call begins. */
  called({ name, destination, isProbe, saw }: Call, delivery: Delivery | undefined): void {
    this.#calls.set(name, (this.#calls.get(name) ?? 0) + 1)
    if (delivery === undefined) this.violate('a call for an event that is not stored')
    if (delivery?.status === 'DELIVERED') this.violate('a call after the delivery was made')
    const isShut = saw === 'DISABLED' || (saw === 'OPEN' && !isProbe)
    if (isShut) this.violate('a call while the circuit lets none through')
    this.#made.add(name)
    if (!isProbe || saw !== 'OPEN') return
    this.#probing.add(name)
    if (RELIABLE.includes(this.#parts.course.sky))
      this.#checkPause(`call of ${destination}`, [0, PROBE_PAUSE], 'an open circuit let two tries through in a minute')
  }

  taken(name: string): void {
    this.#taken.add(name)
  }

  /** The scan sends a hint. */
  hinted(name: string, { n, isProbe, destination }: DeliveryHint): void {
    const { sky } = this.#parts.course
    if (isProbe && UNINTERRUPTED.includes(sky))
      this.#checkPause(`probe of ${destination}`, [0, PROBE_PAUSE], 'two probes within a minute')
    if (!isProbe && RELIABLE.includes(sky))
      this.#checkPause(`${name} ${n}`, [SAME_TIME, HINT_PAUSE], 'two hints of the scan within five minutes')
  }

  #checkPause(key: string, [least, pause]: readonly [number, number], what: string): void {
    const now = this.#parts.now()
    const since = now - (this.#hinted.get(key) ?? Number.NEGATIVE_INFINITY)
    if (since >= least && since < pause - 1000) this.violate(what)
    this.#hinted.set(key, now)
  }

  /** A try was ended by one owner, and the row says who it belonged to. */
  ended(by: string, owner: string | undefined): void {
    if (by !== owner) this.violate('a try that was ended by who did not own it')
  }

  verdict({ rows }: MemoryDeliveries): readonly string[] {
    const deliveries = new Map(
      [...rows.values()].map(({ delivery }) => [`${delivery.eventId} to ${delivery.destination}`, delivery]),
    )
    for (const name of this.#accepted) {
      if (!deliveries.has(name)) this.violate('an accepted event without its delivery')
    }
    for (const [name, { attempts, status }] of deliveries) {
      if (status !== 'DELIVERED' && status !== 'DEAD') this.violate(`a delivery ends ${status}`)
      this.#checkCharge(name, attempts)
    }
    return [...this.#violations]
  }

  #checkCharge(name: string, attempts: number): void {
    const calls = this.#calls.get(name) ?? 0
    const spared = this.#spared.get(name) ?? 0
    if (calls > attempts + spared) this.violate('a call that was not charged')
    const isUninterrupted = UNINTERRUPTED.includes(this.#parts.course.sky)
    if (isUninterrupted && attempts > calls) this.violate('a try was charged that nobody made')
  }

  violate(what: string): void {
    this.#violations.add(what)
  }
}
