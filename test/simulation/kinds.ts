import { worldsOf } from './course.ts'
import { DELIVERIES } from './deliver/course.ts'
import type { WeatherName } from './faults.ts'
import { type Kind, kindOf } from './kind.ts'
import { WATCH } from './watch-history.ts'

export type KindName = Exclude<WeatherName, 'clear'> | 'watch' | 'deliveries'

/** By what makes its worlds hard; a course knows its kind as `weather`. */
export const KINDS: Readonly<Record<KindName, Kind>> = {
  storm: kindOf(worldsOf('storm')),
  zombies: kindOf(worldsOf('zombies')),
  outage: kindOf(worldsOf('outage')),
  deaf: kindOf(worldsOf('deaf')),
  skewed: kindOf(worldsOf('skewed')),
  calm: kindOf(worldsOf('calm')),
  watch: kindOf(WATCH),
  deliveries: kindOf(DELIVERIES),
}

/** How many of a hundred worlds are of a kind. */
export const SHARES: Readonly<Record<KindName, number>> = {
  storm: 30,
  zombies: 12,
  outage: 12,
  deaf: 8,
  skewed: 9,
  calm: 9,
  watch: 5,
  deliveries: 15,
}

export function isKind(name: string): name is KindName {
  return Object.hasOwn(KINDS, name)
}
