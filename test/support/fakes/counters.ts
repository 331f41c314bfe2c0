import type { CounterStore } from '../../../lib/auth/login-failures.ts'
import { unavailable } from '../../../lib/errors.ts'

/** Counters in memory; nothing clears away what is over. */
export class MemoryCounters implements CounterStore {
  readonly counts = new Map<string, number>()
  readonly expiry = new Map<string, Date>()
  isDown = false

  async read(names: readonly string[]): Promise<readonly number[]> {
    this.#reach()
    return names.map((name) => this.counts.get(name) ?? 0)
  }

  async add(name: string, expiresAt: Date): Promise<number> {
    this.#reach()
    const count = (this.counts.get(name) ?? 0) + 1
    this.counts.set(name, count)
    this.expiry.set(name, expiresAt)
    return count
  }

  async remove(name: string): Promise<void> {
    this.#reach()
    this.counts.delete(name)
  }

  #reach(): void {
    if (this.isDown) throw unavailable(new Error('the store is down'))
  }
}
