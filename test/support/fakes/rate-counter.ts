import { unavailable } from '../../../lib/errors.ts'
import type { PermitDemand, Tally } from '../../../lib/webhooks/rate/lease.ts'
import type { Counted, RateCounter } from '../../../lib/webhooks/rate/limiter.ts'

/** Tallies in memory; nothing clears away what is over. */
export class MemoryRateCounter implements RateCounter {
  readonly tallies = new Map<string, Tally>()
  readonly expiry = new Map<string, Date>()
  requests = 0
  isDown = false

  async take(name: string, { minute, before, ...demand }: PermitDemand, expiresAt: Date): Promise<Counted> {
    this.#reach()
    const tally = this.tallies.get(name)
    if (tally && !isWithin(tally, { minute, before, ...demand })) return { kind: 'refused', tally }
    const taken = (tally?.taken ?? 0) + demand.count
    return this.#write(name, { minute, before, taken, spare: (tally?.spare ?? 0) + demand.spare }, expiresAt)
  }

  async rollOver(name: string, seen: Tally, next: Tally, expiresAt: Date): Promise<Counted> {
    this.#reach()
    const tally = this.tallies.get(name)
    const isAsSeen = tally?.minute === seen.minute && tally.taken === seen.taken && tally.spare === seen.spare
    return isAsSeen ? this.#write(name, next, expiresAt) : { kind: 'refused', tally }
  }

  #write(name: string, tally: Tally, expiresAt: Date): Counted {
    this.tallies.set(name, tally)
    this.expiry.set(name, expiresAt)
    return { kind: 'written', tally }
  }

  #reach(): void {
    this.requests += 1
    if (this.isDown) throw unavailable(new Error('the store is down'))
  }
}

function isWithin(tally: Tally, { minute, before, maximumTaken, maximumSpare }: PermitDemand): boolean {
  const isSameMinute = tally.minute === minute && tally.before === before
  return isSameMinute && tally.taken <= maximumTaken && tally.spare <= maximumSpare
}
