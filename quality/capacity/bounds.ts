import { LIST_SHARDS } from '../../lib/adapters/dynamodb/event-item.ts'
import { BUSY, DELIVERED, intakeUnits, keyUnits, sumOf, type Units } from './demand.ts'
import { DEPLOYED, NEW_ACCOUNT, OPENED, QUOTAS } from './limits.ts'

/** A bound of a whole stack, in payments of Stripe a second. */
interface Bound {
  readonly part: string
  readonly limit: string
  /** Who moves it: a new account waits, a stage is told, tables grow by themselves, AWS is asked, or nobody can. */
  readonly movedBy: 'time' | 'a setting' | 'growth' | 'a quota' | 'nobody'
  /** @param destinations that take each event, each of which answers in 0.1 s */
  readonly rate: (destinations: number) => number
}

/** How long a destination takes to answer here, in milliseconds. */
export const ANSWER = 100

const KIND = 'a payment of Stripe'

const KEYS = LIST_SHARDS.length

/** Write units of one event by table and index, with its deliveries to their end. */
function unitsOf(destinations: number): Units {
  const { events, 'events.byTime': byTime, payments } = intakeUnits(KIND, 0) as Record<string, number>
  const deliveries = sumOf(Array.from({ length: destinations }, () => DELIVERED))
  return {
    events: events ?? 0,
    byTime: byTime ?? 0,
    payments: payments ?? 0,
    deliveries: deliveries['deliveries'] ?? 0,
  }
}

const byTable = (units: number, table: string) => (destinations: number) => units / (unitsOf(destinations)[table] ?? 0)

/** Each function at a time takes ten calls a second, and one if a call lasts a second. */
const byFunctions = (places: number) => (destinations: number) =>
  Math.min(
    (places * 1000) / (BUSY.intake + destinations * (BUSY.delivery + ANSWER)),
    places * QUOTAS.callsPerPlace.figure,
  )

const { keyUnits: key, newTableUnits, tableUnits, concurrency, requestRate } = QUOTAS
const said = (figure: number) => figure.toLocaleString('en')

export const BOUNDS: readonly Bound[] = [
  {
    part: 'functions',
    limit: `a new account: ${NEW_ACCOUNT} at a time`,
    movedBy: 'time',
    rate: byFunctions(NEW_ACCOUNT),
  },
  { part: 'HTTP API', limit: 'its stage', movedBy: 'a setting', rate: () => DEPLOYED.requestRate },
  ...['events', 'deliveries'].map(
    (table): Bound => ({
      part: `table of ${table}`,
      limit: `new: ${said(newTableUnits.figure)} write units`,
      movedBy: 'growth',
      rate: byTable(newTableUnits.figure, table),
    }),
  ),
  {
    part: 'functions',
    limit: `an account: ${said(concurrency.figure)} at a time`,
    movedBy: 'a quota',
    rate: byFunctions(OPENED.concurrency),
  },
  { part: 'HTTP API', limit: 'the account', movedBy: 'a quota', rate: () => requestRate.figure },
  ...['events', 'deliveries'].map(
    (table): Bound => ({
      part: `table of ${table}`,
      limit: `${said(tableUnits.figure)} write units`,
      movedBy: 'a quota',
      rate: byTable(tableUnits.figure, table),
    }),
  ),
  {
    part: 'list of events',
    limit: `${KEYS} keys of its index`,
    movedBy: 'nobody',
    rate: byTable(KEYS * key.figure, 'byTime'),
  },
  {
    part: 'waiting list of one destination',
    limit: `${KEYS} keys of its index`,
    movedBy: 'nobody',
    rate: (destinations) => (destinations === 0 ? Number.POSITIVE_INFINITY : (KEYS * key.figure) / DUE),
  },
]

/** Units of one delivery in the index of what waits. */
const DUE = DELIVERED['deliveries.due'] ?? 0

/** Events of one sender in a second, by its key. */
export function senderRate(kind: Parameters<typeof keyUnits>[0]): number {
  return key.figure / keyUnits(kind)
}

/** The first bound of a stack that is met, once all that the given ones move was moved. */
export function firstBound(moved: readonly Bound['movedBy'][], destinations: number): Bound {
  const left = BOUNDS.filter(({ movedBy }) => !moved.includes(movedBy))
  return left.reduce((least, one) => (one.rate(destinations) < least.rate(destinations) ? one : least))
}
