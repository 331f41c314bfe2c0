import { seeded } from '../support/random.ts'
import { type EventSpec, eventsOf } from './event-spec.ts'
import type { Fault, WeatherName } from './faults.ts'
import type { Rules } from './kind.ts'
import { World } from './world.ts'

/** All that decides how a world goes. */
export interface Course {
  readonly weather: WeatherName
  readonly seed: number
  readonly events: readonly EventSpec[]
  /** Instead of the weather's own: the faults of calls, by the number of the call. */
  readonly faults?: Readonly<Record<string, Fault>>
}

/** How many seeds a course with less in it may go wrong with. */
const LUCKS = 5

/** What may be left out of an event, a property at a time. */
const PLAINER: readonly Partial<EventSpec>[] = [
  { copies: 1 },
  { repeatedAt: [] },
  { replayedAt: [] },
  { failures: 0 },
  { failures: 1 },
  { isPoison: false },
  { elements: 0 },
  { elements: 1 },
  { sentAt: 0 },
]

/** Worlds of one weather: events that are taken in, run and swept. */
export function worldsOf(weather: WeatherName): Rules<Course> {
  return {
    draw: (seed) => ({ weather, seed, events: eventsOf(seeded(seed), weather) }),

    async live(course, living) {
      const { faults, ...rest } = course
      const faultAt = faults && { faultAt: (call: number) => faults[call] }
      const world = new World({ ...rest, ...faultAt, ...living })
      const { violations, counts, faults: met } = await world.run()
      return { course: { ...course, faults: met }, violations, counts }
    },

    *smaller(course) {
      const { faults = {}, events } = course
      for (const kept of fewer(Object.entries(faults))) yield { ...course, faults: Object.fromEntries(kept) }
      for (const kept of fewer(events)) yield* withLuck({ ...course, events: kept })
      for (const [index, event] of events.entries()) {
        for (const plainer of plainerThan(event)) yield { ...course, events: events.with(index, plainer) }
      }
    },
  }
}

/** Fewer events may need other luck to go wrong. */
export function* withLuck<C extends { readonly seed: number }>(course: C): Generator<C> {
  for (let luck = 0; luck < LUCKS; luck++) yield { ...course, seed: course.seed + luck }
}

function plainerThan(event: EventSpec): readonly EventSpec[] {
  const weight = weightOf(event)
  return PLAINER.map((plainer) => ({ ...event, ...plainer })).filter((plainer) => weightOf(plainer) < weight)
}

function weightOf(event: EventSpec): number {
  return JSON.stringify(event).length + event.failures + event.copies + Number(event.isPoison)
}

/** The list without one half, then without each single one. */
export function* fewer<T>(list: readonly T[]): Generator<readonly T[]> {
  const half = list.length >> 1
  if (half > 1) yield list.slice(half)
  if (half > 1) yield list.slice(0, half)
  for (const index of list.keys()) yield list.toSpliced(index, 1)
}
