import { measuredOf } from '../cost/measured.ts'
import { ASSUMED, MILLISECONDS, PROCESSORS } from '../cost/usage.ts'

/** Write units by table and by index, each of which has a throughput of its own; demand.test.ts counts them. */
export type Units = Readonly<Record<string, number>>

export type EventKind = keyof typeof EVENTS

/** What an accepted event of 3 KB takes without destinations. */
export const EVENTS = {
  'a payment of Stripe': { events: 2, 'events.byTime': 1, payments: 2, 'payments.byTime': 1 },
  'another event of Stripe': { events: 1, 'events.byTime': 1 },
  'a payment that hardly compresses': { events: 6, 'events.byTime': 1, payments: 2, 'payments.byTime': 1 },
  'an event of GitHub': { events: 4, 'events.byTime': 1 },
} as const satisfies Readonly<Record<string, Units>>

/** What the moves of one delivery take, and those of one event that a replay runs again. */
export const MOVES = {
  stored: { deliveries: 2, 'deliveries.due': 1 },
  firstTry: { deliveries: 1 },
  furtherTry: { deliveries: 1, 'deliveries.due': 2 },
  success: { deliveries: 1, 'deliveries.due': 1 },
  failure: { deliveries: 1, 'deliveries.due': 2 },
  woken: { deliveries: 1, 'deliveries.due': 2 },
  reset: { events: 2, 'events.byTime': 1, 'events.due': 2, 'events.byChange': 1 },
  claim: { events: 2, 'events.byTime': 1, 'events.due': 2, 'events.byChange': 1 },
  finish: {
    events: 4,
    'events.byTime': 1,
    'events.due': 1,
    'events.byChange': 1,
    payments: 2,
    'payments.byTime': 1,
  },
} as const satisfies Readonly<Record<string, Units>>

export const REPLAYED = sumOf([MOVES.reset, MOVES.claim, MOVES.finish])

/** What an accepted event takes of the key of its sender: half of what GitHub's has are of a row that has its content. */
export function keyUnits(kind: EventKind): number {
  return kind === 'an event of GitHub' ? EVENTS[kind].events / 2 : EVENTS[kind].events
}

/** What an accepted event takes; the first destination makes its write a transaction, which doubles a single row. */
export function intakeUnits(kind: EventKind, destinations: number): Units {
  const { events, ...others } = EVENTS[kind]
  const rows = Array.from({ length: destinations }, () => MOVES.stored)
  return sumOf([{ ...others, events: destinations > 0 ? Math.max(2, events) : events }, ...rows])
}

/** What a delivery takes whose first try succeeds, from its row to its end. */
export const DELIVERED = sumOf([MOVES.stored, MOVES.firstTry, MOVES.success])

/** The CPU of one run of the retry queue, at the share of a processor that 512 MB get, in milliseconds. */
const RUN = measuredOf('retryEvent').nextAnswerCpu / PROCESSORS

/**
 * Milliseconds of a function for one event: its intake, the work around its delivery, a run of the retry queue, and one of
 * many that a replay runs at once. The last three are all a claim, a read and an end, and were measured as one.
 */
export const BUSY = {
  intake: MILLISECONDS.warm,
  delivery: RUN + ASSUMED.waitMilliseconds.figure,
  retry: RUN + ASSUMED.waitMilliseconds.figure,
  replayed: RUN,
} as const

/** Events in a second that one function gets through which does many at once, as a replay and a scan do. */
export const PACE = Math.floor(1000 / RUN)

export function sumOf(parts: readonly Units[]): Units {
  const sum: Record<string, number> = {}
  for (const [name, units] of parts.flatMap((part) => Object.entries(part))) sum[name] = (sum[name] ?? 0) + units
  return sum
}
