import type { CounterStore, Taken } from '../../../lib/auth/login-failures.ts'
import { unavailable } from '../../../lib/errors.ts'

/** Counters in memory; nothing clears away what is over. */
export class MemoryCounters implements CounterStore {
  readonly counts = new Map<string, number>()
  readonly expiry = new Map<string, Date>()
  /** How often it was asked for what. */
  readonly asked = { read: 0, take: 0, giveBack: 0, set: 0, remove: 0 }
  isDown = false

  async read(names: readonly string[]): Promise<readonly number[]> {
    this.#reach('read')
    return names.map((name) => this.counts.get(name) ?? 0)
  }

  async take(name: string, maximum: number, expiresAt: Date): Promise<Taken> {
    this.#reach('take')
    const count = this.counts.get(name) ?? 0
    if (count >= maximum) return { kind: 'full', count }
    this.counts.set(name, count + 1)
    this.expiry.set(name, expiresAt)
    return { kind: 'added', count: count + 1 }
  }

  async giveBack(name: string): Promise<void> {
    this.#reach('giveBack')
    const count = this.counts.get(name) ?? 0
    if (count > 0) this.counts.set(name, count - 1)
  }

  async set(name: string, count: number, expiresAt: Date): Promise<void> {
    this.#reach('set')
    this.counts.set(name, count)
    this.expiry.set(name, expiresAt)
  }

  async remove(name: string, count: number): Promise<boolean> {
    this.#reach('remove')
    return this.counts.get(name) === count && this.counts.delete(name)
  }

  #reach(method: keyof typeof this.asked): void {
    this.asked[method] += 1
    if (this.isDown) throw unavailable(new Error('the store is down'))
  }
}
