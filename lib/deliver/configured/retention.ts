import * as z from 'zod/mini'
import type { HandlerConfig, SourceConfig } from '../../config.ts'
import { broken, type Issue } from '../../webhooks/configured/schema.ts'
import { providerOf } from '../../webhooks/providers/index.ts'
import { daysBeyond, EVERY_SOURCE, RETRY_HOURS, USUAL_DAYS } from '../../webhooks/retention/retention.ts'
import { GIVE_UP_HOURS } from './destinations.ts'
import { isSourceKnown } from './rules.ts'

const DAYS = 'must be a whole number of days from 7 to 3650'

/** The days by the name of the source. */
export const retentionShape = z.optional(
  z.record(z.string(), z.int(DAYS).check(z.gte(7, DAYS), z.lte(3650, DAYS)), 'must be an object'),
)

/** For how many days what was accepted is known. */
export const dedupeShape = z.optional(z.int(DAYS).check(z.gte(7, DAYS), z.lte(3650, DAYS)))

/** The fault of a number of days in which a call would be new again while its event is still there. */
export function dedupeRules(dedupeDays: number | undefined, retentionDays: Readonly<Record<string, number>>) {
  const kept = Math.max(...Object.values({ [EVERY_SOURCE]: USUAL_DAYS, ...retentionDays }))
  const isShort = dedupeDays !== undefined && dedupeDays < kept
  return broken([['', `must be at least ${kept}, the longest of retentionDays`, isShort]])
}

interface Known {
  /** The names of all configured sources, however wrong these are. */
  readonly names: readonly string[]
  /** Those without a mistake. */
  readonly sources: Readonly<Record<string, SourceConfig>>
  /** Handlers among them. */
  readonly destinations: Readonly<Record<string, Pick<HandlerConfig, 'giveUpAfterHours'>>>
}

/** The faults of a retention: a payload must outlive everything that may still need it. */
export function retentionRules(days: Readonly<Record<string, number>>, known: Known): readonly Issue[] {
  const configured = new Map(Object.entries(known.sources))
  const slowest = Object.entries(known.destinations)
    .map(([name, { giveUpAfterHours = GIVE_UP_HOURS }]) => ({ name, days: daysBeyond(giveUpAfterHours / 24) }))
    .toSorted((one, other) => other.days - one.days)[0]
  return Object.entries(days).flatMap(([name, given]) => {
    const repeated = name === EVERY_SOURCE ? 0 : daysBeyondRetries(name, configured)
    const tried = slowest?.days ?? 0
    const issues = broken([
      ['', 'as a name, is none of a source', !isSourceKnown(name, known.names)],
      ['', `must be at least ${repeated}, because its provider repeats an event as long`, given < repeated],
      ['', `must be at least ${tried}, because ${slowest?.name} is tried as long: giveUpAfterHours`, given < tried],
    ])
    return issues.map(({ message }) => ({ path: [name], message }))
  })
}

const DAY_SECONDS = 86_400

/** The fewest whole days that are longer than a source repeats an event. @param configured those of the team */
export function daysBeyondRetries(name: string, configured: ReadonlyMap<string, SourceConfig>): number {
  const source = configured.get(name)
  if (source && !('preset' in source)) return daysBeyond((source.retryHours ?? RETRY_HOURS) / 24)
  return daysBeyond(providerOf(source?.preset ?? name).retries.horizonSeconds / DAY_SECONDS)
}
