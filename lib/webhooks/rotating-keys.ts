import { unavailable } from '../errors.ts'
import { createRecent } from '../runtime/cache.ts'
import type { Log } from '../runtime/log.ts'
import type { Metrics } from '../runtime/metrics.ts'
import type { Clock } from '../runtime/time.ts'
import {
  bodyOf,
  type KeyAnswer,
  type KeyRequest,
  type PublishedKey,
  type Rotation,
  type WantedKey,
} from './schemes/rotation.ts'
import type { SignedCall } from './schemes/scheme.ts'
import { goodSecrets, type SharedSecret } from './verify.ts'

/** The servers that publish providers' keys. */
export interface KeyServer {
  /** @throws Error if no complete answer arrives in time; its text contains nothing of the request or the answer */
  ask(request: KeyRequest): Promise<KeyAnswer>
}

/** The documents of each source that held a key, the last ones first, in a row that all instances read. */
export interface GoodDocuments {
  /** @throws ServiceError `UNAVAILABLE` */
  of(source: string): Promise<readonly string[]>
  /** @throws ServiceError `UNAVAILABLE` */
  keep(source: string, documents: readonly string[]): Promise<void>
}

/** Who names a key. */
export interface KeyCaller {
  /** What one network may have fetched is limited. */
  readonly network: string
  /** Counts a fetch against the rate limit of the caller (webhooks-25). Never rejects. */
  readonly pay: () => Promise<void>
}

/** The keys of providers that rotate them by themselves. */
export interface RotatingKeys {
  /**
   * The secrets of a source as its scheme reads them for a call, without those whose key is unknown. It returns a
   * promise only if a key must be fetched.
   * @throws ServiceError `UNAVAILABLE` if a missing key cannot be fetched now
   */
  secretsFor(
    source: string,
    rotation: Rotation,
    call: SignedCall,
    secrets: readonly SharedSecret[],
    caller: KeyCaller,
  ): readonly SharedSecret[] | Promise<readonly SharedSecret[]>
  /**
   * Makes a request that a signed call asks for; a successful one is not repeated.
   * @throws ServiceError `UNAVAILABLE`
   */
  confirm(source: string, request: KeyRequest): Promise<void>
}

export interface RotatingKeysParts {
  readonly server: KeyServer
  readonly good: GoodDocuments
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Pick<Metrics, 'count'>
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Times in milliseconds. */
const LIMITS = {
  documents: 64,
  /** How long a document is used before its server is asked again. */
  fresh: HOUR,
  /** While its server fails: how long a document is used, and how often the server is asked. */
  usable: 24 * HOUR,
  rest: MINUTE,
  unknownIds: 256,
  /** The minimum time between two requests for the same unknown id. */
  unknown: MINUTE,
  /** At most one alarm of a source in this time. */
  alarm: MINUTE,
  confirmed: 64,
  /** How many good documents of a source are known, and how long an instance uses what it read of them. */
  good: 50,
  goodFresh: MINUTE,
} as const

/** A key, and its parsed form for each secret: a parsed key belongs to a secret. */
interface HeldKey extends PublishedKey {
  readonly secrets: WeakMap<SharedSecret, SharedSecret>
}

type Found = SharedSecret | undefined

interface HeldDocument {
  readonly keys: ReadonlyMap<string, HeldKey>
  readonly fetchedAt: number
  readonly askAgainAt: number
}

/**
 * Fetches and caches the key that a call names. Invented names cost a limited number of fetches, and displace no key.
 */
export function createRotatingKeys({ server, good, clock, log, metrics }: RotatingKeysParts): RotatingKeys {
  const documents = createRecent<HeldDocument>(LIMITS.documents)
  /** The times until which the server is not asked again for an id. */
  const unknownIds = createRecent<number>(LIMITS.unknownIds)
  const confirmed = createRecent<true>(LIMITS.confirmed)
  const pending = new Map<string, Promise<HeldDocument | undefined>>()
  const quietUntil = new Map<string, number>()
  const goodOf = new Map<string, { readonly documents: Promise<readonly string[]>; readonly until: number }>()
  const budget = createFetchBudget(clock)
  const now = () => clock.now().getTime()

  function keyFor(caller: Caller, wanted: WantedKey): HeldKey | undefined | Promise<HeldKey | undefined> {
    const document = documents.get(wanted.document)
    const key = document?.keys.get(wanted.id)
    if (!document || !key) return isUnknown(caller, wanted) ? undefined : newKey(caller, wanted)
    const { fetchedAt, askAgainAt } = document
    if (isBetween(fetchedAt, askAgainAt)) return key
    const known = isBetween(fetchedAt, fetchedAt + LIMITS.usable) ? key : undefined
    return fetchedKey(caller, wanted, () => budget.spendOnKnown(caller.source), known)
  }

  /** A document that another instance has fetched is none that a stranger has invented. */
  async function newKey(caller: Caller, wanted: WantedKey): Promise<HeldKey | undefined> {
    const isGood = (await goodDocuments(caller.source)).includes(wanted.document)
    const paying: Promise<void>[] = []
    const key = fetchedKey(caller, wanted, () => {
      const isAffordable = isGood ? budget.spendOnKnown(caller.source) : budget.spendOnNew(caller)
      if (isAffordable) paying.push(caller.pay())
      return isAffordable
    })
    await Promise.all([key, ...paying])
    return key
  }

  function goodDocuments(source: string): Promise<readonly string[]> {
    const read = goodOf.get(source)
    if (read && now() < read.until) return read.documents
    const documents = good.of(source).catch((cause) => {
      log.warn('good keys not read', { source, cause })
      return []
    })
    goodOf.set(source, { documents, until: now() + LIMITS.goodFresh })
    return documents
  }

  async function noteGood(source: string, document: string): Promise<void> {
    const before = await goodDocuments(source)
    if (before.includes(document)) return
    const documents = [document, ...before].slice(0, LIMITS.good)
    goodOf.set(source, { documents: Promise.resolve(documents), until: now() + LIMITS.goodFresh })
    await good.keep(source, documents).catch((cause) => log.warn('good key not kept', { source, cause }))
  }

  function isBetween(from: number, to: number): boolean {
    return from <= now() && now() < to
  }

  function isUnknown(caller: Caller, wanted: WantedKey): boolean {
    const is = now() < (unknownIds.get(nameOf(caller, wanted)) ?? 0)
    if (is) raiseAlarm(caller.source)
    return is
  }

  async function fetchedKey(caller: Caller, wanted: WantedKey, isAffordable: () => boolean, known?: HeldKey) {
    try {
      const key = (await fetched(caller, wanted, isAffordable))?.keys.get(wanted.id)
      if (!key) noteUnknown(caller, wanted)
      return key
    } catch (cause) {
      if (known) return known
      throw unavailable(cause)
    }
  }

  /** Calls that need the same document share one fetch. */
  function fetched({ source }: Caller, wanted: WantedKey, isAffordable: () => boolean) {
    const before = pending.get(wanted.document)
    if (before) return before
    if (!isAffordable()) throw new Error('too many fetches')
    const fetching = fetchDocument(source, wanted).finally(() => pending.delete(wanted.document))
    pending.set(wanted.document, fetching)
    return fetching
  }

  async function fetchDocument(source: string, wanted: WantedKey): Promise<HeldDocument | undefined> {
    try {
      const published = wanted.keysIn(await server.ask(wanted.request))
      documents.delete(wanted.document)
      if (published.size === 0) return undefined
      const keys = new Map([...published].map(([id, key]) => [id, { ...key, secrets: new WeakMap() }]))
      const document = { keys, fetchedAt: now(), askAgainAt: now() + LIMITS.fresh }
      documents.set(wanted.document, document)
      await noteGood(source, wanted.document)
      return document
    } catch (cause) {
      log.warn('keys cannot be fetched', { source, cause })
      rest(wanted.document)
      throw cause
    }
  }

  function rest(name: string): void {
    const known = documents.get(name)
    if (!known) return
    const askAgainAt = Math.min(now() + LIMITS.rest, known.fetchedAt + LIMITS.usable)
    documents.set(name, { ...known, askAgainAt })
  }

  /** A key that is named repeatedly may be a new one of the provider, all of whose events are then refused. */
  function noteUnknown(caller: Caller, wanted: WantedKey): void {
    const name = nameOf(caller, wanted)
    if (unknownIds.get(name) !== undefined) raiseAlarm(caller.source)
    unknownIds.set(name, now() + LIMITS.unknown)
  }

  function raiseAlarm(source: string): void {
    if (now() < (quietUntil.get(source) ?? 0)) return
    quietUntil.set(source, now() + LIMITS.alarm)
    log.error('unknown key repeated', { source })
    metrics.count('UnknownKey', { source })
  }

  function find(caller: Caller, rotation: Rotation, call: SignedCall, secret: SharedSecret): Found | Promise<Found> {
    const wanted = rotation.keyOf(call, secret.value)
    if (!wanted) return undefined
    const key = keyFor(caller, wanted)
    return key instanceof Promise ? key.then((held) => filled(secret, wanted, held)) : filled(secret, wanted, key)
  }

  return {
    secretsFor(source, rotation, call, secrets, { network, pay }) {
      const caller = { source, network, pay }
      const found = secrets.map((secret) =>
        rotation.isName(secret.value) ? find(caller, rotation, call, secret) : secret,
      )
      return found.some((one) => one instanceof Promise)
        ? Promise.all(found).then((all) => valid(all, clock.now()))
        : valid(found, clock.now())
    },

    async confirm(source, request) {
      if (confirmed.get(request.url)) return
      try {
        if (!budget.spendOnKnown(source)) throw new Error('too many fetches')
        bodyOf(await server.ask(request))
        confirmed.set(request.url, true)
      } catch (cause) {
        log.warn('subscription cannot be confirmed', { source, cause })
        throw unavailable(cause)
      }
    },
  }
}

/** Whose call names a key. */
interface Caller extends KeyCaller {
  readonly source: string
}

function nameOf({ network }: KeyCaller, { document, id }: WantedKey): string {
  return `${network} ${document} ${id}`
}

/** The secret with the key in it; always the same object for the same key. */
function filled(secret: SharedSecret, { secretWith }: WantedKey, key: HeldKey | undefined): Found {
  if (!key) return undefined
  const { text, secrets, ...period } = key
  const made = secrets.get(secret) ?? { ...secret, ...period, value: secretWith(text) }
  secrets.set(secret, made)
  return made
}

function valid(found: readonly (Found | Promise<Found>)[], now: Date): readonly SharedSecret[] {
  const known = found.flatMap((one) => (one === undefined || one instanceof Promise ? [] : [one]))
  return goodSecrets(known, now)
}

/** Fetches of a source at once, and the most there can be; and how many it regains in a second. */
const BURST = 10
const PER_SECOND = 1

/** The part of it for keys that were good before: no invented name can use it up. */
const KNOWN = 2 / 3

/** How many networks are remembered, and how long one waits for its next new key, in seconds. */
const NETWORKS = 1024
const NETWORK_PAUSE = 30

/** How much may be fetched for a source, because callers without a secret can cause it. Both take a fetch, if one is left. */
function createFetchBudget(clock: Clock) {
  const left = new Map<string, { readonly count: number; readonly at: number }>()
  const heardAt = createRecent<number>(NETWORKS)
  const seconds = () => clock.now().getTime() / 1000

  function spend(name: string, share: number): boolean {
    const now = seconds()
    const { count, at } = left.get(name) ?? { count: BURST * share, at: now }
    const available = Math.min(BURST * share, count + Math.max(0, now - at) * PER_SECOND * share)
    const isLeft = available >= 1
    left.set(name, { count: isLeft ? available - 1 : available, at: now })
    return isLeft
  }

  return {
    spendOnKnown: (source: string) => spend(`known ${source}`, KNOWN),

    /** One network gets one in a while, so that it cannot take the share of all. */
    spendOnNew({ source, network }: Pick<Caller, 'source' | 'network'>): boolean {
      const name = `${source} ${network}`
      const now = seconds()
      const since = now - (heardAt.get(name) ?? Number.NEGATIVE_INFINITY)
      if (since >= 0 && since < NETWORK_PAUSE) return false
      const isLeft = spend(`new ${source}`, 1 - KNOWN)
      if (isLeft) heardAt.set(name, now)
      return isLeft
    },
  }
}
