import * as z from 'zod/mini'
import type { DestinationConfig, GatehouseConfig } from '../../config.ts'
import { ConfigError } from '../../runtime/config.ts'
import { readSources } from '../../webhooks/configured/read.ts'
import { object, problemAt } from '../../webhooks/configured/schema.ts'
import { type ConfiguredNames, destinationNameRules, destinationRules, stageRules, togetherRules } from './rules.ts'
import { destinationShape } from './shapes.ts'

/** A configuration, or everything that is wrong with it: the field, a colon and the rule. */
type ReadConfig =
  | { readonly config: GatehouseConfig; readonly problems?: undefined }
  | { readonly problems: readonly string[] }

const named = z.optional(z.record(z.string(), z.unknown(), 'must be an object'))

const whole = object({ sources: named, destinations: named })

/**
 * Checks a configuration as a whole. Never throws.
 * @param stage on which every value has to be there; without one, that is left open
 */
export function readConfig(given: unknown, stage?: string): ReadConfig {
  const outer = z.safeParse(whole, given)
  if (!outer.success) return { problems: outer.error.issues.map((issue) => problemAt([], issue)).sort() }
  const { sources = {}, destinations = {} } = outer.data
  const names = { sources: Object.keys(sources), destinations: Object.keys(destinations) }
  const ours = readSources(sources)
  const read = Object.entries(destinations).map(([name, one]) => readDestination(name, one, names, stage))
  const together = togetherRules(names).map((issue) => problemAt(['destinations'], issue))
  const problems = [...ours.problems, ...together, ...read.flatMap((one) => one.problems)]
  if (problems.length > 0) return { problems: problems.sort() }
  const entries = read.flatMap(({ entry }) => (entry ? [entry] : []))
  return { config: { sources: ours.sources, destinations: Object.fromEntries(entries) } }
}

/** As {@link readConfig}. @throws ConfigError naming everything that is wrong */
export function checkedConfig(given: unknown, stage?: string): GatehouseConfig {
  const read = readConfig(given, stage)
  if (read.problems) throw new ConfigError(read.problems, 'Wrong configuration, gatehouse.config.ts')
  return read.config
}

function readDestination(name: string, given: unknown, names: ConfiguredNames, stage: string | undefined) {
  const read = z.safeParse(destinationShape, given)
  // zod's optional fields may hold undefined, which here is the same as absent.
  const destination = read.data as DestinationConfig | undefined
  const issues = [
    ...destinationNameRules(name, names),
    ...(destination ? destinationRules(destination, names) : (read.error?.issues ?? [])),
    ...(destination && stage !== undefined ? stageRules(destination, stage) : []),
  ]
  return {
    problems: issues.map((issue) => problemAt(['destinations', name], issue)),
    entry: destination && ([name, destination] as const),
  }
}
