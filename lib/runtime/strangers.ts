import type { Networks } from './address.ts'
import { boundedLog } from './bounded-log.ts'
import { clientAddress } from './client-address.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { createPlaces, type Place, type PlaceLimits } from './places.ts'
import type { Timers } from './timers.ts'

/** Limits of an unauthenticated client; times in milliseconds. */
export const STRANGER = {
  /** Time to authenticate, or to send its request. */
  patience: 5000,
  messageBytes: 8192,
  /** For a stream. */
  stay: 60_000,
} as const

export interface Arrival {
  /** Where the connection came from; undefined once it is gone. */
  readonly peer: string | undefined
  /** The value of `X-Forwarded-For`. */
  readonly forwarded?: string | undefined
}

/** The places of unauthenticated clients on one port. */
export interface Strangers {
  /**
   * Tells the log where there is none.
   * @param lose called when another one takes the place
   */
  take(arrival: Arrival, lose: () => void): Place | undefined
  isProxy(arrival: Arrival): boolean
  /** The address that a client has, or that a trusted proxy names. */
  addressOf(arrival: Arrival): string
  /** Counts a client that was turned away, and logs why, and its address. */
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
 * A trusted proxy that speaks for itself, as a load balancer does that asks for the health, has places apart: strangers
 * cannot take them, and those of its clients are counted by the addresses that it names.
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
    write(`${channel}: turned away, ${reason}`, { address: addressOf(arrival), ...fields })
  }

  return {
    take(arrival, lose) {
      if (arrival.peer === undefined) return undefined
      const address = addressOf(arrival)
      const taken = (trustedProxies.has(address) ? ofProxies : places).take(address, () => {
        turnedAway(arrival, 'the place is another one’s')
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
