import { type Random, seeded } from '../../support/random.ts'
import { fewer, withLuck } from '../course.ts'
import type { Fault, WeatherName } from '../faults.ts'
import type { Rules } from '../kind.ts'
import { DeliverWorld } from './world.ts'

/** How a destination answers a call. */
export type Manner =
  | 'takes'
  | 'fails'
  /** Takes the event, but answers after the call has given up. */
  | 'hangs'
  | 'busy'
  | 'gone'

/** Something that an operator does. */
export type Deed = 'disable' | 'enable' | 'order' | 'remove'

/** All that decides how a world of deliveries goes. */
export interface DeliverCourse {
  readonly weather: 'deliveries'
  readonly sky: Exclude<WeatherName, 'clear' | 'skewed'>
  readonly seed: number
  readonly events: readonly { readonly at: number }[]
  /** How long a delivery is tried, in milliseconds. */
  readonly patience: number
  /** The answers of each destination to its calls, one after the other; after the last one it takes all. */
  readonly manners: readonly (readonly Manner[])[]
  readonly deeds: readonly { readonly deed: Deed; readonly at: number; readonly destination: number }[]
  /** Instead of the weather's own: the faults of calls, by the number of the call. */
  readonly faults?: Readonly<Record<string, Fault>>
}

const SKIES = ['storm', 'storm', 'zombies', 'outage', 'deaf', 'calm'] as const

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const PATIENCE = [20 * MINUTE, 3 * HOUR, 12 * HOUR] as const

/** Worlds in which what is accepted is delivered to one or two destinations. */
export const DELIVERIES: Rules<DeliverCourse> = {
  draw: drawCourse,

  live: (course, { mutation, trace } = {}) => new DeliverWorld(course, { mutation: mutation?.deliveries, trace }).run(),

  *smaller(course) {
    const { faults = {}, events, deeds, manners } = course
    for (const kept of fewer(Object.entries(faults))) yield { ...course, faults: Object.fromEntries(kept) }
    for (const kept of fewer(events)) yield* withLuck({ ...course, events: kept })
    for (const kept of fewer(deeds)) yield { ...course, deeds: kept }
    for (const [index, own] of manners.entries()) {
      for (const kept of fewer(own)) yield { ...course, manners: manners.with(index, kept) }
    }
    yield* withoutLast(course)
  },
}

/** One destination less. */
function* withoutLast(course: DeliverCourse): Generator<DeliverCourse> {
  const manners = course.manners.slice(0, -1)
  if (manners.length === 0) return
  const deeds = course.deeds.filter(({ destination }) => destination < manners.length)
  yield* withLuck({ ...course, manners, deeds })
}

function drawCourse(seed: number): DeliverCourse {
  const random = seeded(seed)
  const destinations = random.between(1, 2)
  const events = Array.from({ length: random.between(1, 6) }, () => ({ at: random.between(0, 600_000) }))
  const manners = Array.from({ length: destinations }, () => mannersOf(random))
  return {
    weather: 'deliveries',
    sky: random.pick(SKIES),
    seed,
    patience: random.pick(PATIENCE),
    events,
    manners,
    deeds: deedsOf(random, destinations),
  }
}

function mannersOf(random: Random): readonly Manner[] {
  const isDown = random.chance(0.3)
  const count = isDown ? random.between(15, 60) : random.between(0, 6)
  const kinds: readonly Manner[] = isDown ? ['fails', 'fails', 'fails', 'busy'] : ['takes', 'fails', 'hangs', 'busy']
  const manners = Array.from({ length: count }, () => random.pick(kinds))
  return random.chance(0.1) ? [...manners, 'gone'] : manners
}

function deedsOf(random: Random, destinations: number): DeliverCourse['deeds'] {
  const deeds = []
  for (let destination = 0; destination < destinations; destination++) {
    const at = (hours: number) => ({ at: random.between(0, hours * HOUR), destination })
    if (random.chance(0.2)) deeds.push({ deed: 'disable', ...at(0.5) } as const)
    if (random.chance(0.2)) deeds.push({ deed: 'enable', ...at(3) } as const)
    for (let order = random.between(0, 4); order > 2; order--) deeds.push({ deed: 'order', ...at(2) } as const)
  }
  if (random.chance(0.1)) deeds.push({ deed: 'remove', at: random.between(0, 20 * MINUTE), destination: 0 } as const)
  return deeds
}
