import { MILLISECONDS } from '../cost/usage.ts'

/** What one webhook takes: an accepted payment of 3 KB that hardly compresses, as test/contract/write-units.test.ts counts. */
export const DEMAND = {
  milliseconds: MILLISECONDS.warm,
  /** Write units on the key of its sender, in the events table. */
  senderUnits: 6,
  /** Write units on one of the keys of the index of lists; one of the engines counts them double in a transaction. */
  listUnits: 2,
} as const

/** What the parts bear, in a second unless something else is said. */
export interface Limits {
  /** Calls that the HTTP API lets through, and how many of them at once. */
  readonly requestRate: number
  readonly requestBurst: number
  /** Functions that may run at a time, and how many start anew in a second. */
  readonly concurrency: number
  readonly newFunctions: number
  /** Write units of one partition, so of one key. */
  readonly keyUnits: number
  /** Write units of the events table, and of each of its indexes, as far as they have grown. */
  readonly tableUnits: number
}

/** As deployed, in an account with AWS's defaults. */
export const DEPLOYED: Limits = {
  requestRate: 500,
  requestBurst: 1000,
  concurrency: 1000,
  newFunctions: 100,
  keyUnits: 1000,
  tableUnits: 4000,
}

/** What AWS gives without being asked. */
export const DEFAULTS = {
  requestRate: 10_000,
  requestBurst: 5000,
  newAccountConcurrency: 10,
  tableUnits: 40_000,
} as const
