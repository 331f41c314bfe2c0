import { seeded } from '../../test/support/random.ts'
import { agendaOf } from './agenda.ts'
import { BUSY, intakeUnits, PACE, REPLAYED } from './demand.ts'
import { type Deliveries, simulatedDestination } from './destination.ts'
import type { Limits } from './limits.ts'
import { again, type Call, type Load, newCalls, shuffled } from './load.ts'
import { CALLS, FUNCTIONS, lanesOf, stockOf } from './stock.ts'
import type { Receiver, Service, Span } from './tries.ts'
import { assertWhole } from './whole.ts'

export interface World {
  readonly load: Load
  readonly limits: Limits
  readonly destinations?: readonly (Service & Receiver)[] | undefined
  /** A replay of failed events of the first sender, from the first second on. */
  readonly replay?: { readonly events: number; readonly ratePerSecond: number } | undefined
  /** In these seconds the tables do not answer, and each call gets 503. */
  readonly outage?: Span | undefined
}

export interface Outcome {
  readonly sent: number
  readonly acceptedAtFirst: number
  readonly accepted: number
  /** Events that their senders gave up. */
  readonly givenUp: number
  /** Calls by what refused them; an event that comes again is counted again. */
  readonly refused: ReadonlyMap<string, number>
  /** The second of the last accepted call. */
  readonly lastAt: number
  readonly deliveries: readonly Deliveries[]
  /** Events that the replay ran, and the second of the last. */
  readonly replayed: { readonly events: number; readonly lastAt: number }
  /** The most that was taken of a stock in one second. */
  readonly peakOf: (stock: string) => number
}

/** What a call takes before its event is stored. */
const CALL = [
  { stock: CALLS, units: 1 },
  { stock: FUNCTIONS, units: BUSY.intake },
]
/** A world that lives longer, in seconds, has something in it that never moves. */
const LONGEST = 10 * 86_400

/**
 * Lives through a world second by second, until nothing is left to do.
 * @throws Error when something is lost, or when a sender was told of something that is not stored
 */
export function simulate({ load, limits, destinations: served = [], replay, outage }: World, seed = 1): Outcome {
  const random = seeded(seed)
  const stock = stockOf(limits)
  const calls = agendaOf<Call>()
  const destinations = served.map((one) => simulatedDestination(one, one, random))
  const units = intakeUnits('a payment of Stripe', destinations.length)
  const bySender = Array.from({ length: load.senders }, (_, sender) => lanesOf(units, `${sender}`))
  const byReplay = lanesOf({ [FUNCTIONS]: BUSY.replayed, ...REPLAYED }, '0')
  const refused = new Map<string, number>()
  const told = { sent: 0, acceptedAtFirst: 0, accepted: 0, givenUp: 0, lastAt: 0 }
  const replayed = { events: 0, lastAt: 0, stoppedAt: -1 }
  let rows = 0
  let tokens = limits.requestBurst

  const take = (lanes: ReturnType<typeof lanesOf> = []) => stock.take(lanes[random.below(lanes.length)] ?? [])

  /** What refuses a call; undefined if its event is stored now, with its deliveries. */
  function refusalOf({ sender }: Call, second: number): string | undefined {
    if (tokens < 1) return 'HTTP API'
    tokens -= 1
    if (stock.take(CALL)) return FUNCTIONS
    if (isIn(outage, second)) return 'outage'
    const full = take(bySender[sender])
    if (full) return full
    rows += 1
    for (const destination of destinations) destination.store(second)
    return undefined
  }

  function receive(call: Call, second: number): void {
    const refusal = refusalOf(call, second)
    if (refusal === undefined) {
      told.accepted += 1
      told.lastAt = second
      if (call.tries === 0) told.acceptedAtFirst += 1
      return
    }
    refused.set(refusal, (refused.get(refusal) ?? 0) + 1)
    const next = again(call)
    if (next) calls.add(second + next.pause, next.call)
    else told.givenUp += 1
  }

  /** What the tables refuse is tried again in the next second. */
  function replayOne(second: number): void {
    if (second === replayed.stoppedAt) return
    if (take(byReplay)) replayed.stoppedAt = second
    else Object.assign(replayed, { events: replayed.events + 1, lastAt: second })
  }

  /** What a second brings, in no order: who comes first gets what is there. */
  function turnsOf(second: number): readonly (() => void)[] {
    const fresh = second < load.seconds ? newCalls(load, random) : []
    told.sent += fresh.length
    const received = [...fresh, ...calls.dueBy(second)].map((call) => () => receive(call, second))
    const left = (replay?.events ?? 0) - replayed.events
    const pace = Math.min(replay?.ratePerSecond ?? 0, PACE, left)
    const replays = Array.from({ length: pace }, () => () => replayOne(second))
    return shuffled([...received, ...replays, ...destinations.flatMap((one) => one.begin(second, stock))], random)
  }

  function isOver(second: number): boolean {
    const isReplayed = replayed.events === (replay?.events ?? 0)
    const isDelivered = destinations.every((one) => one.waiting() === 0)
    return second >= load.seconds && calls.size === 0 && isReplayed && isDelivered
  }

  for (let second = 0; !isOver(second); second++) {
    if (second > LONGEST) throw new Error('something waits for ever')
    stock.begin(second)
    tokens = Math.min(limits.requestBurst, tokens + limits.requestRate)
    for (const turn of turnsOf(second)) turn()
    assertWhole({ ...told, underWay: calls.size, rows, destinations })
  }
  return { ...told, refused, replayed, deliveries: destinations.map((one) => one.told), peakOf: stock.peakOf }
}

function isIn(span: Span | undefined, second: number): boolean {
  return span !== undefined && second >= span.from && second < span.to
}
