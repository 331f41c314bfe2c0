import { unavailable } from '../../../lib/errors.ts'
import type { RefusalList } from '../../../lib/webhooks/refusals/list.ts'
import {
  type CountedRefusals,
  type RefusalSample,
  type RefusalStore,
  refusalKeyOf,
} from '../../../lib/webhooks/refusals/refusal.ts'
import { START } from './clock.ts'

/** Rows in memory under the keys of the DynamoDB adapters; nothing clears away what is over. */
export class MemoryRefusals implements RefusalStore, RefusalList {
  readonly rows = new Map<string, CountedRefusals>()
  /** What was written, in order, failures included. */
  readonly writes: CountedRefusals[] = []
  state: 'up' | 'down' | 'hanging' = 'up'

  async add(refusals: CountedRefusals, signal: AbortSignal): Promise<void> {
    this.writes.push(refusals)
    if (this.state === 'down') throw unavailable(new Error('the store is down'))
    if (this.state === 'hanging') return hangUntil(signal)
    const { day, cause } = refusalKeyOf(refusals)
    const before = this.rows.get(`${day} ${cause}`)
    const { count = 0, firstAt = refusals.firstAt } = before ?? {}
    this.rows.set(`${day} ${cause}`, { ...refusals, count: count + refusals.count, firstAt })
  }

  async between(oldest: Date, newest: Date, source: string | undefined): Promise<readonly CountedRefusals[]> {
    return [...this.rows.values()].filter(
      (row) => row.lastAt >= oldest && row.lastAt <= newest && (source === undefined || row.source === source),
    )
  }
}

function hangUntil(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(unavailable(signal.reason))))
}

/** A refused call of 2 bytes. */
export function refusalSample(changes: Partial<RefusalSample> = {}): RefusalSample {
  return {
    verdict: { reason: 'wrong-signature', sentence: 'Its signature does not fit.' },
    address: '192.0.2.1',
    size: 2,
    headers: { 'content-type': 'application/json', 'x-signature': null },
    ...changes,
  }
}

/** One refusal of Stripe, at the start of the fixed clock. */
export function countedRefusals(changes: Partial<CountedRefusals> = {}): CountedRefusals {
  const times = { firstAt: START, lastAt: START }
  return { ...refusalSample(), source: 'stripe', reason: 'wrong-signature', count: 1, ...times, ...changes }
}
