import { MILLISECONDS } from '../cost/usage.ts'

/**
 * The demand of one webhook: an accepted payment of 3 KB that hardly compresses, as test/contract/write-units.test.ts
 * counts it.
 */
export const DEMAND = {
  milliseconds: MILLISECONDS.warm,
  /** Write units on its sender's key in the events table. */
  senderUnits: 6,
  /** Write units on one key of the index of lists; one of the engines counts them double in a transaction. */
  listUnits: 2,
} as const

/** The capacity of each part, per second unless stated otherwise. */
export interface Limits {
  /** Calls per second that the HTTP API accepts, and its burst. */
  readonly requestRate: number
  readonly requestBurst: number
  /** Maximum number of functions at a time, and of new ones per second. */
  readonly concurrency: number
  readonly newFunctions: number
  /** Write units of one partition, hence of one key. */
  readonly keyUnits: number
  /** Write units of the events table, and of each of its indexes, as far as they have scaled. */
  readonly tableUnits: number
}

/** The deployed limits, in an account with AWS's defaults. */
export const DEPLOYED: Limits = {
  requestRate: 500,
  requestBurst: 1000,
  concurrency: 1000,
  newFunctions: 100,
  keyUnits: 1000,
  tableUnits: 4000,
}

/** AWS's limits without configuration. */
export const DEFAULTS = {
  requestRate: 10_000,
  requestBurst: 5000,
  newAccountConcurrency: 10,
  tableUnits: 40_000,
} as const
