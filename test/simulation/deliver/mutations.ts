import type { DeliveryGuard } from '../../support/fakes/memory-deliveries.ts'

/** One guard of the protocol of deliveries, left out. */
export interface DeliverMutation {
  readonly without?: readonly DeliveryGuard[]
  readonly flaw?:
    | 'the rows are written after the event'
    | 'hints are sent before the event is stored'
    | 'a lease ends before the call'
    | 'a probe is charged'
    | 'a probe leaves the time of the next one'
    | 'a disabled destination drops what comes'
    | 'a success enables'
    | 'what waits for a removed destination is forgotten'
    | 'what comes after a removal is forgotten'
    | 'nothing is scanned'
}

export const DELIVER_MUTATIONS: Readonly<Record<string, DeliverMutation & { readonly as: string }>> = {
  'no owner in the condition of the end': {
    without: ['deliver: owner'],
    as: 'a try that was ended by who did not own it',
  },
  'no owner in the condition of a failure': {
    without: ['fail: owner'],
    as: 'a try that was ended by who did not own it',
  },
  'no status in the conditions of an end': {
    without: ['deliver, fail, release: status'],
    as: 'illegal move PENDING → PENDING without an order',
  },
  'a stale hint begins a try': {
    without: ['claim: as many tries as the hint saw'],
    as: 'a call that was not charged',
  },
  'a stale hint takes over a try': {
    without: ['re-claim: as many tries as the hint saw'],
    as: 'a call that was not charged',
  },
  'a lease that nobody respects': {
    without: ['re-claim: the lease is over'],
    as: 'a try that was taken over within its lease',
  },
  'a try before it is due': { without: ['claim: due'], as: 'a try before it was due' },
  'a try that is not charged': { without: ['claim: charges the try'], as: 'a call that was not charged' },
  'an outage that is charged': {
    without: ['release: gives the try back'],
    as: 'a try was charged that nobody made',
  },
  'a new row that the scan does not see': { without: ['insert: the scan finds them'], as: 'a delivery ends PENDING' },
  'a scan that postpones nothing': { without: ['scan: is postponed'], as: 'two hints of the scan within five minutes' },
  'rows outside the transaction': {
    flaw: 'the rows are written after the event',
    as: 'an accepted event without its delivery',
  },
  'hints before the commit': {
    flaw: 'hints are sent before the event is stored',
    as: 'a delivery that nothing held up came late',
  },
  'a lease shorter than a call': { flaw: 'a lease ends before the call', as: 'a delivery ends PENDING' },
  'a probe that is charged': { flaw: 'a probe is charged', as: 'a probe that was charged' },
  'a probe that does not take its turn': {
    flaw: 'a probe leaves the time of the next one',
    as: 'two probes within a minute',
  },
  'a disabled destination that drops': {
    flaw: 'a disabled destination drops what comes',
    as: 'given up too early',
  },
  'a success that enables': { flaw: 'a success enables', as: 'a destination that nobody enabled' },
  'a removal that forgets': {
    flaw: 'what waits for a removed destination is forgotten',
    as: 'a delivery ends PENDING',
  },
  'a removal that looks away at once': {
    flaw: 'what comes after a removal is forgotten',
    as: 'a delivery ends PENDING',
  },
  'no scan': { flaw: 'nothing is scanned', as: 'a delivery ends PENDING' },
}
