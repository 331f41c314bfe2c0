import type { GatehouseConfig } from '../../config.ts'

/** Unless the configuration says otherwise. */
export const USUAL_DAYS = 90

/** The name that stands for every source which is not named. */
export const EVERY_SOURCE = '*'

/** Longer than any provider repeats an event, and any configured source may. */
const LONGEST_HORIZON = 91

/** For how many days the payloads of a source are kept at most. It knows no provider, so the intake can load it. */
export function longestDaysOf({ retentionDays = {} }: GatehouseConfig): (source: string) => number {
  const given = new Map(Object.entries(retentionDays))
  const usual = Math.max(given.get(EVERY_SOURCE) ?? USUAL_DAYS, LONGEST_HORIZON)
  return (source) => given.get(source) ?? usual
}
