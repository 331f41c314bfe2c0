import type { EventStore } from '../../lib/webhooks/place.ts'
import type { RetryStore } from '../../lib/webhooks/retry/worker.ts'
import type { Guard, MemoryStore } from '../support/fakes/memory-store.ts'
import type { DeliverMutation } from './deliver/mutations.ts'
import type { KindName } from './kinds.ts'

/** Makes one call of a store, with all that may happen to it. */
export type Calling = <T>(name: string, apply: () => Promise<T>) => Promise<T>

/** What a mutation may replace. */
export interface Ports {
  readonly events: EventStore
  readonly retries: RetryStore
}

/** One guard of the protocol, left out. */
export interface Mutation {
  readonly without?: readonly Guard[]
  readonly replace?: (ports: Ports, store: MemoryStore, call: Calling) => Ports
  /** The scan never comes. */
  readonly isUnswept?: true
  /** A message says nothing of the runs that it saw: it is always taken for fresh. */
  readonly isUnfenced?: true
  /** Of the deliveries' protocol. */
  readonly deliveries?: DeliverMutation
}

/** Where and as what a mutation shows. */
export interface Sight {
  /** In calm worlds unless it is said. */
  readonly seenIn?: KindName
  readonly as: string
}
