import type { GatehouseConfig } from '../../config.ts'

/** How long events are kept. */
export interface Retention {
  /** For how many days a source's events are kept, with their payloads and deliveries. */
  daysOf(source: string): number
  /** For how many days at least a known event is no new one; never fewer. */
  readonly dedupeDays: number
}

/** Unless the configuration says otherwise. */
export const USUAL_DAYS = 90
const DEDUPE_DAYS = 400

/** How long a source that is described in the configuration repeats an event, if it does not say so. */
export const RETRY_HOURS = 72

/** The name that stands for every source which is not named. */
export const EVERY_SOURCE = '*'

/** The fewest whole days that are longer than any built-in provider repeats an event. */
export const PROVIDER_DAYS = 31

/**
 * The retention of each source. One that is not named is kept as long as `*` says, or longer than its sender repeats an
 * event. It loads no provider, so the intake can use it.
 * @param config without a mistake
 */
export function retentionOf({
  retentionDays = {},
  sources = {},
  dedupeDays = DEDUPE_DAYS,
}: GatehouseConfig): Retention {
  const given = new Map(Object.entries(retentionDays))
  const configured = new Map(Object.entries(sources))
  const usual = given.get(EVERY_SOURCE) ?? USUAL_DAYS

  function leastOf(name: string): number {
    const source = configured.get(name)
    return source && !('preset' in source) ? daysBeyond((source.retryHours ?? RETRY_HOURS) / 24) : PROVIDER_DAYS
  }

  const daysOf = (source: string) => given.get(source) ?? Math.max(usual, leastOf(source))
  const kept = [EVERY_SOURCE, ...given.keys(), ...configured.keys()].map(daysOf)
  return { daysOf, dedupeDays: Math.max(dedupeDays, PROVIDER_DAYS, ...kept) }
}

/** The fewest whole days that are more than so many. */
export function daysBeyond(days: number): number {
  return Math.floor(days) + 1
}
