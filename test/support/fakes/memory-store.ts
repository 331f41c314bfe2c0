import { unavailable } from '../../../lib/errors.ts'
import { type Judgement, judge, type Payment, type PaymentWrite } from '../../../lib/payments/payment.ts'
import type { EventReader } from '../../../lib/webhooks/detail.ts'
import type { EventKey, HistoryEntry, RetryHint, WebhookEvent } from '../../../lib/webhooks/event.ts'
import type { EventStore } from '../../../lib/webhooks/inbox.ts'
import type { Claim, Ending, RetryStore } from '../../../lib/webhooks/retry.ts'
import type { RetryQueue } from '../../../lib/webhooks/schedule.ts'
import type { Blocked } from '../../../lib/webhooks/settle.ts'
import type { DueEvents } from '../../../lib/webhooks/sweep.ts'

/** An event and, while it waits for a run, the time at which the sweep looks at it. */
interface Row {
  readonly event: WebhookEvent
  readonly sweepAt: Date | undefined
}

export interface Sent {
  readonly hint: RetryHint
  readonly delayMs: number
}

const PAGE = 100

/** What a payment write demands of the stored payment. */
const WANTED: Readonly<Record<PaymentWrite['mode'], Judgement>> = { advance: 'advances', fill: 'superseded' }

/** Events, payments and the retry queue in memory, under the conditions of the DynamoDB and SQS adapters. */
export class MemoryStore {
  readonly events = new Map<string, Row>()
  readonly payments = new Map<string, Payment>()
  readonly queue: Sent[] = []
  isStoreDown = false
  isQueueDown = false

  readonly eventStore: EventStore = {
    insert: async (event, { payment }) => {
      this.#reachStore()
      const row = this.events.get(nameOf(event))
      if (row) return { kind: 'present', event: row.event }
      const blocked = this.#pay(payment)
      if (blocked) return blocked
      this.#put(event, event.nextRetryAt)
      return { kind: 'inserted' }
    },
  }

  readonly eventReader: EventReader = {
    find: async (key) => {
      this.#reachStore()
      return this.find(key)
    },
  }

  readonly retryStore: RetryStore = {
    claim: async (claim) => {
      this.#reachStore()
      const event = this.find(claim)
      if (!event || !isClaimable(event, claim)) {
        return event && isOwn(event, claim, 'RETRY') ? { kind: 'claimed', event } : { kind: 'refused', event }
      }
      const { owner, leaseUntil, now, n } = claim
      const claimed = moved(event, { at: now, status: 'RETRY', by: 'retry' }, { owner, leaseUntil, attempts: n + 1 })
      this.#put(claimed, leaseUntil)
      return { kind: 'claimed', event: claimed }
    },

    finish: async (claim, _event, { payment, outcome }, at) => {
      this.#reachStore()
      const event = this.find(claim)
      if (!event || !isMine(event, claim)) return endingOf(event, claim, 'PROCESSED')
      const blocked = this.#pay(payment)
      if (blocked) return blocked
      const changes = { ...SETTLED, processedAt: at, errorMessage: undefined, outcome: outcome ?? event.outcome }
      this.#put(moved(event, { at, status: 'PROCESSED', by: 'retry' }, changes), undefined)
      return { kind: 'written' }
    },

    fail: async (claim, { at, errorMessage, nextRetryAt }) => {
      this.#reachStore()
      const event = this.find(claim)
      if (!event || !isMine(event, claim)) return endingOf(event, claim, 'FAILED')
      const changes = { errorMessage, nextRetryAt, dead: nextRetryAt === undefined, leaseUntil: undefined }
      this.#put(moved(event, { at, status: 'FAILED', by: 'retry', error: errorMessage }, changes), nextRetryAt)
      return { kind: 'written' }
    },

    exhaust: async (hint, at, errorMessage) => {
      this.#reachStore()
      const event = this.find(hint)
      if (event?.attempts !== hint.n || !(isWaiting(event) || isAbandoned(event, at))) return { kind: 'lost' }
      const changes = { ...SETTLED, errorMessage, dead: true }
      this.#put(moved(event, { at, status: 'FAILED', by: 'retry', error: errorMessage }, changes), undefined)
      return { kind: 'written' }
    },
  }

  readonly dueEvents: DueEvents = {
    dueBy: (now) => this.#dueBy(now),
    postponeSweep: async (hint, until) => {
      this.#reachStore()
      const row = this.events.get(nameOf(hint))
      if (row?.sweepAt && row.event.attempts === hint.n) this.#put(row.event, until)
    },
  }

  readonly retryQueue: RetryQueue = {
    send: async (hint, delayMs) => {
      if (this.isQueueDown) throw unavailable(new Error('the queue is down'))
      this.queue.push({ hint, delayMs })
    },
  }

  /** The event as it stands, whether the store is down or not. */
  find(key: EventKey): WebhookEvent | undefined {
    return this.events.get(nameOf(key))?.event
  }

  async *#dueBy(now: Date): AsyncGenerator<readonly RetryHint[]> {
    this.#reachStore()
    const due = [...this.events.values()].filter(({ sweepAt }) => sweepAt !== undefined && sweepAt <= now)
    const hints = due.map(({ event: { source, eventId, attempts: n } }) => ({ source, eventId, n }))
    for (let start = 0; start === 0 || start < hints.length; start += PAGE) yield hints.slice(start, start + PAGE)
  }

  #reachStore(): void {
    if (this.isStoreDown) throw unavailable(new Error('the store is down'))
  }

  #put(event: WebhookEvent, sweepAt: Date | undefined): void {
    this.events.set(nameOf(event), { event, sweepAt })
  }

  #pay(write: PaymentWrite | undefined): Blocked | undefined {
    if (!write) return undefined
    const { mode, change } = write
    const stored = this.payments.get(change.transactionId)
    if (stored && judge(stored, change) !== WANTED[mode]) return { kind: 'blocked', stored }
    if (!stored && mode === 'fill') throw new Error('a condition failed without showing its row')
    const [first, last] = mode === 'advance' ? [stored, change] : [change, stored]
    this.payments.set(change.transactionId, { ...change, ...definedOf(first), ...definedOf(last) })
    return undefined
  }
}

/** What a row loses when nothing waits any more. */
const SETTLED = { leaseUntil: undefined, nextRetryAt: undefined } as const

function nameOf({ source, eventId }: EventKey): string {
  return `${source}\0${eventId}`
}

function moved(event: WebhookEvent, entry: HistoryEntry, changes: Partial<WebhookEvent>): WebhookEvent {
  return { ...event, ...changes, status: entry.status, history: [...event.history, entry] }
}

function isWaiting({ status, nextRetryAt }: WebhookEvent): boolean {
  return status === 'FAILED' && nextRetryAt !== undefined
}

function isAbandoned({ status, leaseUntil }: WebhookEvent, now: Date): boolean {
  return status === 'RETRY' && leaseUntil !== undefined && leaseUntil < now
}

function isClaimable(event: WebhookEvent, { n, maxAttempts, now }: Claim): boolean {
  const isDue = event.status === 'FAILED' && event.nextRetryAt !== undefined && event.nextRetryAt <= now
  return event.attempts === n && n < maxAttempts && (isDue || isAbandoned(event, now))
}

function isOwn(event: WebhookEvent, { owner }: Claim, status: WebhookEvent['status']): boolean {
  return event.owner === owner && event.status === status
}

function isMine(event: WebhookEvent, claim: Claim): boolean {
  return isOwn(event, claim, 'RETRY')
}

function endingOf(event: WebhookEvent | undefined, claim: Claim, status: WebhookEvent['status']): Ending {
  return { kind: event && isOwn(event, claim, status) ? 'written' : 'lost' }
}

function definedOf(payment: Payment | undefined): Partial<Payment> {
  return Object.fromEntries(Object.entries(payment ?? {}).filter(([, value]) => value !== undefined))
}
