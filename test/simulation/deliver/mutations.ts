import type { DeliveryGuard } from '../../support/fakes/memory-deliveries.ts'

/** As what it shows that a guard of the store is left out. */
const GUARDS = {
  'deliver: owner': 'a try that was ended by who did not own it',
  'fail: owner': 'a try that was ended by who did not own it',
  'deliver, fail, release: status': 'illegal move PENDING → PENDING without an order',
  'claim: as many tries as the hint saw': 'a call that was not charged',
  're-claim: as many tries as the hint saw': 'a call that was not charged',
  're-claim: the lease is over': 'a try that was taken over within its lease',
  'claim: due': 'a try before it was due',
  'claim: charges the try': 'a call that was not charged',
  'release: gives the try back': 'a try was charged that nobody made',
  'insert: the scan finds them': 'a delivery ends PENDING',
  'scan: is postponed': 'two hints of the scan within five minutes',
} as const satisfies Partial<Record<DeliveryGuard, string>>

/** As what a flaw shows in those who use the store. */
const FLAWS = {
  'the rows are written after the event': 'an accepted event without its delivery',
  'hints are sent before the event is stored': 'a delivery that nothing held up came late',
  'a lease ends before the call': 'a delivery ends PENDING',
  'a probe is charged': 'a probe that was charged',
  'a probe leaves the time of the next one': 'two probes within a minute',
  'a disabled destination drops what comes': 'given up too early',
  'a success enables': 'a destination that nobody enabled',
  'what waits for a removed destination is forgotten': 'a delivery ends PENDING',
  'what comes after a removal is forgotten': 'a delivery ends PENDING',
  'nothing is scanned': 'a delivery ends PENDING',
} as const

/** One guard of the protocol of deliveries, left out. */
export interface DeliverMutation {
  readonly without?: readonly DeliveryGuard[]
  readonly flaw?: keyof typeof FLAWS
}

const keysOf = <K extends string>(table: Readonly<Record<K, string>>) => Object.keys(table) as K[]

export const DELIVER_MUTATIONS: readonly (readonly [string, string, DeliverMutation])[] = [
  ...keysOf(GUARDS).map((guard) => [`without ${guard}`, GUARDS[guard], { without: [guard] }] as const),
  ...keysOf(FLAWS).map((flaw) => [flaw, FLAWS[flaw], { flaw }] as const),
]
