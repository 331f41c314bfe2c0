import { networkOf } from './address.ts'

export interface PlaceLimits {
  readonly inAll: number
  readonly perAddress: number
}

/** A place that is taken, until `leave` gives it back. */
export interface Place {
  /** Gives it back; doing so again does nothing. */
  leave(): void
}

/** Why there is no place: the address has all of its own, or all are taken. */
export type Shortage = 'per address' | 'in all'

export interface Places {
  /**
   * @param address whose place it is; the addresses of an IPv6 network count as one
   * @param lose called when another one takes the place
   */
  take(address: string, lose: () => void): Place | Shortage
}

/**
 * So many places, shared fairly. If all are taken, a newcomer takes the oldest place of the address with the most, if
 * that has more than the newcomer's address would then have: nobody can keep others out by taking all.
 */
export function createPlaces({ inAll, perAddress }: PlaceLimits): Places {
  /** By network, the oldest first. */
  const held = new Map<string, Set<Holder>>()
  let taken = 0

  function give(holder: Holder): void {
    const holders = held.get(holder.network)
    if (!holders?.delete(holder)) return
    taken -= 1
    if (holders.size === 0) held.delete(holder.network)
  }

  /** @param own how many the newcomer's address has @returns whether there is a place then */
  function makeRoom(own: number): boolean {
    const most = largestOf(held.values())
    const [oldest] = most
    const isFairer = own === 0 || own + 1 < most.size
    if (!oldest || !isFairer) return false
    give(oldest)
    oldest.lose()
    return true
  }

  return {
    take(address, lose) {
      const network = networkOf(address)
      const own = held.get(network)?.size ?? 0
      if (own >= perAddress) return 'per address'
      if (taken >= inAll && !makeRoom(own)) return 'in all'
      const holder = { network, lose }
      held.set(network, (held.get(network) ?? new Set()).add(holder))
      taken += 1
      return { leave: () => give(holder) }
    },
  }
}

interface Holder {
  readonly network: string
  readonly lose: () => void
}

/** Of several the first. */
function largestOf(all: Iterable<ReadonlySet<Holder>>): ReadonlySet<Holder> {
  let largest: ReadonlySet<Holder> = new Set()
  for (const holders of all) if (holders.size > largest.size) largest = holders
  return largest
}
