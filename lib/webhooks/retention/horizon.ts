import type { SourceConfig } from '../../config.ts'
import { providerOf } from '../providers/index.ts'
import { daysBeyond, RETRY_HOURS } from './retention.ts'

const DAY_SECONDS = 86_400

/** The fewest whole days that are longer than a source repeats an event. @param configured those of the team */
export function daysBeyondRetries(name: string, configured: ReadonlyMap<string, SourceConfig>): number {
  const source = configured.get(name)
  if (source && !('preset' in source)) return daysBeyond((source.retryHours ?? RETRY_HOURS) / 24)
  return daysBeyond(providerOf(source?.preset ?? name).retries.horizonSeconds / DAY_SECONDS)
}
