import { fail, type ServiceError, unavailable } from '../errors.ts'
import { clientAddress, type Networks, networkOf } from './address.ts'
import type { Cancel, Timers } from './async.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** What a client may take on any port before it has said who it is; times in milliseconds. */
export const ANONYMOUS = {
  /** To authenticate, or to send a request. */
  patience: 5000,
  /** Of a message or a frame, finished or not. */
  messageBytes: 8192,
  /** Of a stream. */
  streamAge: 60_000,
} as const

export interface Caller {
  /** The address of the connection; undefined once it is closed. */
  readonly peer: string | undefined
  /** The value of `X-Forwarded-For`. */
  readonly forwarded?: string | undefined
}

/** The places of clients without a verified token on one port. */
export interface AnonymousClients {
  /**
   * Undefined, and logged, when no place is free.
   * @param evict called when another client takes the place
   */
  take(caller: Caller, evict: () => void): Place | undefined
  isProxy(caller: Caller): boolean
  /** The client's address, or the one that a trusted proxy names. */
  addressOf(caller: Caller): string
  /** Counts a refused client, and logs the reason and its address. */
  refused(caller: Caller, reason: string, fields?: Readonly<Record<string, unknown>>): void
}

export interface AnonymousParts {
  readonly limits: PlaceLimits
  readonly trustedProxies: Networks
  readonly timers: Timers
  readonly log: Log
  readonly metrics: Pick<Metrics, 'count'>
}

/**
 * A trusted proxy that calls for itself, as a load balancer that checks the health, has places of its own, which no
 * client takes. The places of its clients are counted by the addresses that it names.
 * @param channel as the log names it
 */
export function createAnonymousClients(channel: string, parts: AnonymousParts): AnonymousClients {
  const { limits, trustedProxies, timers, log, metrics } = parts
  const places = createPlaces(limits)
  const ofProxies = createPlaces({ inAll: limits.inAll, perAddress: limits.inAll })
  const write = boundedLog(log, timers)

  const addressOf = ({ peer = '', forwarded }: Caller) => clientAddress(peer, forwarded, trustedProxies)

  function refused(caller: Caller, reason: string, fields = {}): void {
    metrics.count('ChannelRefused', { channel, reason: 'turned-away' })
    write(`${channel}: rejected, ${reason}`, { address: addressOf(caller), ...fields })
  }

  return {
    take(caller, evict) {
      if (caller.peer === undefined) return undefined
      const address = addressOf(caller)
      const taken = (trustedProxies.has(address) ? ofProxies : places).take(address, () => {
        refused(caller, 'the place belongs to another client')
        evict()
      })
      if (typeof taken !== 'string') return taken
      refused(caller, `no place without a token, ${taken}`)
      return undefined
    },
    addressOf,
    isProxy: (caller) => trustedProxies.has(addressOf(caller)),
    refused,
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
   * @param evict called when another client takes the place
   */
  take(address: string, evict: () => void): Place | Shortage
}

/**
 * So many places, shared fairly. If all are taken, a newcomer takes the oldest place of the address with the most, if
 * that has more than the newcomer's address would then have: no address can keep others out by taking all.
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
    let most: ReadonlySet<Holder> = new Set()
    for (const holders of held.values()) if (holders.size > most.size) most = holders
    const [oldest] = most
    const isFairer = own === 0 || own + 1 < most.size
    if (!oldest || !isFairer) return false
    give(oldest)
    oldest.evict()
    return true
  }

  return {
    take(address, evict) {
      const network = networkOf(address)
      const own = held.get(network)?.size ?? 0
      if (own >= perAddress) return 'per address'
      if (taken >= inAll && !makeRoom(own)) return 'in all'
      const holder = { network, evict }
      held.set(network, (held.get(network) ?? new Set()).add(holder))
      taken += 1
      return { leave: () => give(holder) }
    },
  }
}

interface Holder {
  readonly network: string
  readonly evict: () => void
}

/** The places of those who have authenticated: sessions and streams. */
export interface Admission {
  /** How many are taken. */
  readonly taken: number
  /** @returns what gives the place back @throws ServiceError `TOO_MANY_REQUESTS`, `UNAVAILABLE` */
  enter(account: string): Cancel
}

/** Seconds after which an account that has all of its places may try again. */
const RETRY_AFTER = 5

/** So many places in all, and for each account. */
export function createAdmission(inAll: number, perAccount: number): Admission {
  const byAccount = new Map<string, number>()
  let all = 0
  return {
    get taken() {
      return all
    },
    enter(account) {
      const places = byAccount.get(account) ?? 0
      if (places >= perAccount) throw fail('TOO_MANY_REQUESTS', { retryAfterSeconds: RETRY_AFTER })
      if (all >= inAll) throw unavailable(new Error('no place for another session'))
      byAccount.set(account, places + 1)
      all += 1
      return () => {
        const left = (byAccount.get(account) ?? 1) - 1
        if (left === 0) byAccount.delete(account)
        else byAccount.set(account, left)
        all -= 1
      }
    },
  }
}

/** A client that reads more slowly than it is written to. That is no error of the service; the message says what is slow. */
export class SlowClient extends Error {
  override readonly name = 'SlowClient'
}

interface RefusalParts {
  readonly log: Log
  readonly metrics: Pick<Metrics, 'count'>
}

/** Counts the refusal of a call, a session or a stream, and logs why. */
export function noteRefusal(
  { log, metrics }: RefusalParts,
  channel: string,
  what: string,
  error: ServiceError,
  at = {},
) {
  const { code, status, cause } = error
  metrics.count('ChannelRefused', { channel, reason: code })
  if (cause instanceof SlowClient) {
    metrics.count('SlowClients')
    log.info(what, { code, ...at, reason: cause.message })
  } else {
    log[status < 500 ? 'info' : 'error'](what, { code, ...at, ...(cause !== undefined && { cause }) })
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
 * Writes of each message the first lines in a window of ten seconds, and at its end how many more there were: clients
 * without a token must not fill the log.
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
