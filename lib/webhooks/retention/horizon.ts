import type { SourceConfig } from '../../config.ts'
import { RETRY_HOURS } from '../configured/source.ts'
import { providerOf } from '../providers/index.ts'

const DAY_HOURS = 24
const DAY_SECONDS = 86_400

/** The fewest whole days that are longer than a source repeats an event. @param configured those of the team */
export function daysBeyondRetries(name: string, configured: ReadonlyMap<string, SourceConfig>): number {
  const source = configured.get(name)
  if (source && !('preset' in source)) return daysBeyond((source.retryHours ?? RETRY_HOURS) / DAY_HOURS)
  return daysBeyond(providerOf(source?.preset ?? name).retries.horizonSeconds / DAY_SECONDS)
}

/** The fewest whole days that are more than so many. */
export function daysBeyond(days: number): number {
  return Math.floor(days) + 1
}
