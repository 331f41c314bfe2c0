import { unavailable } from '../../../lib/errors.ts'
import type { Counted, Counter, Demand, Tally } from '../../../lib/runtime/tally.ts'

/** Tallies in memory; nothing clears away what is over. */
export class MemoryCounter implements Counter {
  readonly tallies = new Map<string, Tally>()
  readonly expiry = new Map<string, Date>()
  /** How often it was asked for what. */
  readonly asked = { read: 0, take: 0, rollOver: 0, giveBack: 0, set: 0, remove: 0 }
  isDown = false

  get requests(): number {
    return Object.values(this.asked).reduce((sum, times) => sum + times, 0)
  }

  async read(names: readonly string[]): Promise<readonly (Tally | undefined)[]> {
    this.#reach('read')
    return names.map((name) => this.tallies.get(name))
  }

  async take(name: string, { window, before, ...demand }: Demand, expiresAt: Date): Promise<Counted> {
    this.#reach('take')
    const tally = this.tallies.get(name)
    if (tally && !isWithin(tally, { window, before, ...demand })) return { kind: 'refused', tally }
    const taken = (tally?.taken ?? 0) + demand.count
    return this.#write(name, { window, before, taken, spare: (tally?.spare ?? 0) + demand.spare }, expiresAt)
  }

  async rollOver(name: string, seen: Tally, next: Tally, expiresAt: Date): Promise<Counted> {
    this.#reach('rollOver')
    const tally = this.tallies.get(name)
    return isSame(tally, seen) ? this.#write(name, next, expiresAt) : { kind: 'refused', tally }
  }

  async giveBack(name: string, window: number): Promise<void> {
    this.#reach('giveBack')
    const tally = this.tallies.get(name)
    if (tally?.window === window && tally.taken > 0) this.tallies.set(name, { ...tally, taken: tally.taken - 1 })
    else if (tally?.window === window + 1 && tally.before > 0)
      this.tallies.set(name, { ...tally, before: tally.before - 1 })
  }

  async set(name: string, tally: Tally, expiresAt: Date): Promise<void> {
    this.#reach('set')
    this.#write(name, tally, expiresAt)
  }

  async remove(name: string, seen: Tally): Promise<void> {
    this.#reach('remove')
    if (isSame(this.tallies.get(name), seen)) this.tallies.delete(name)
  }

  #write(name: string, tally: Tally, expiresAt: Date): Counted {
    this.tallies.set(name, tally)
    this.expiry.set(name, expiresAt)
    return { kind: 'written', tally }
  }

  #reach(method: keyof typeof this.asked): void {
    this.asked[method] += 1
    if (this.isDown) throw unavailable(new Error('the store is down'))
  }
}

function isSame(tally: Tally | undefined, seen: Tally): boolean {
  return JSON.stringify(partsOf(tally)) === JSON.stringify(partsOf(seen))
}

function partsOf(tally: Tally | undefined) {
  return tally && [tally.window, tally.before, tally.taken, tally.spare]
}

function isWithin(tally: Tally, { window, before, maximumTaken, maximumSpare }: Demand): boolean {
  const isSameWindow = tally.window === window && tally.before === before
  return isSameWindow && tally.taken <= maximumTaken && tally.spare <= maximumSpare
}
