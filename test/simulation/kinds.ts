import { worldsOf } from './course.ts'
import type { WeatherName } from './faults.ts'
import { type Kind, kindOf } from './kind.ts'
import { WATCH } from './watch-history.ts'

export type KindName = Exclude<WeatherName, 'clear'> | 'watch'

/** By what makes its worlds hard; a course knows its kind as `weather`. */
export const KINDS: Readonly<Record<KindName, Kind>> = {
  storm: kindOf(worldsOf('storm')),
  zombies: kindOf(worldsOf('zombies')),
  outage: kindOf(worldsOf('outage')),
  deaf: kindOf(worldsOf('deaf')),
  skewed: kindOf(worldsOf('skewed')),
  calm: kindOf(worldsOf('calm')),
  watch: kindOf(WATCH),
}

/** How many of a hundred worlds are of a kind. */
export const SHARES: Readonly<Record<KindName, number>> = {
  storm: 35,
  zombies: 15,
  outage: 15,
  deaf: 10,
  skewed: 10,
  calm: 10,
  watch: 5,
}

export function isKind(name: string): name is KindName {
  return Object.hasOwn(KINDS, name)
}
