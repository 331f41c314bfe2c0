import { clientAddress, type Networks, networkOf } from './address.ts'
import type { Timers } from './async.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** Limits of an unauthenticated client; times in milliseconds. */
export const STRANGER = {
  /** The time to authenticate, or to send a request. */
  patience: 5000,
  messageBytes: 8192,
  /** For a stream. */
  stay: 60_000,
} as const

export interface Arrival {
  /** The address of the connection; undefined once it is closed. */
  readonly peer: string | undefined
  /** The value of `X-Forwarded-For`. */
  readonly forwarded?: string | undefined
}

/** The places of unauthenticated clients on one port. */
export interface Strangers {
  /**
   * Logs when no place is free.
   * @param lose called when another one takes the place
   */
  take(arrival: Arrival, lose: () => void): Place | undefined
  isProxy(arrival: Arrival): boolean
  /** The client's address, or the one that a trusted proxy names. */
  addressOf(arrival: Arrival): string
  /** Counts a rejected client, and logs the reason and its address. */
  turnedAway(arrival: Arrival, reason: string, fields?: Readonly<Record<string, unknown>>): void
}

export interface StrangersParts {
  readonly limits: PlaceLimits
  readonly trustedProxies: Networks
  readonly timers: Timers
  readonly log: Log
  readonly metrics: Pick<Metrics, 'count'>
}

/**
 * A trusted proxy that calls for itself, for example a load balancer that checks the health, has places of its own:
 * strangers cannot take them. The places of its clients are counted by the addresses that it names.
 * @param channel as the log names it
 */
export function createStrangers(channel: string, parts: StrangersParts): Strangers {
  const { limits, trustedProxies, timers, log, metrics } = parts
  const places = createPlaces(limits)
  const ofProxies = createPlaces({ inAll: limits.inAll, perAddress: limits.inAll })
  const write = boundedLog(log, timers)

  const addressOf = ({ peer = '', forwarded }: Arrival) => clientAddress(peer, forwarded, trustedProxies)

  function turnedAway(arrival: Arrival, reason: string, fields = {}): void {
    metrics.count('ChannelRefused', { channel, reason: 'turned-away' })
    write(`${channel}: rejected, ${reason}`, { address: addressOf(arrival), ...fields })
  }

  return {
    take(arrival, lose) {
      if (arrival.peer === undefined) return undefined
      const address = addressOf(arrival)
      const taken = (trustedProxies.has(address) ? ofProxies : places).take(address, () => {
        turnedAway(arrival, 'the place belongs to another client')
        lose()
      })
      if (typeof taken !== 'string') return taken
      turnedAway(arrival, `no place without a token, ${taken}`)
      return undefined
    },
    addressOf,
    isProxy: (arrival) => trustedProxies.has(addressOf(arrival)),
    turnedAway,
  }
}

/** In a window of that length each message is written so many times. */
const WINDOW_MS = 10_000
const LINES = 10

interface Window {
  lines: number
  unwritten: number
}

/**
 * Writes of each message the first lines in a window of ten seconds, and behind it how many more there were: what strangers
 * set off must not fill the log.
 */
export function boundedLog(log: Log, timers: Timers): Log['info'] {
  const windows = new Map<string, Window>()

  function open(message: string): Window {
    const window = { lines: 0, unwritten: 0 }
    windows.set(message, window)
    timers.after(WINDOW_MS, () => {
      windows.delete(message)
      if (window.unwritten > 0) log.info(message, { more: window.unwritten })
    })
    return window
  }

  return (message, fields) => {
    const window = windows.get(message) ?? open(message)
    if (window.lines >= LINES) {
      window.unwritten += 1
    } else {
      window.lines += 1
      log.info(message, fields)
    }
  }
}

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

/**
 * A client that reads an answer more slowly than it is written. That is no error of this service; the message says what
 * was too slow.
 */
export class SlowClient extends Error {
  override readonly name = 'SlowClient'
}
