import * as z from 'zod/mini'
import type { DestinationConfig, HandlerConfig } from '../../config.ts'
import { ConfigError } from '../../runtime/config.ts'
import { readSources } from '../../webhooks/configured/read.ts'
import { object, problemAt } from '../../webhooks/configured/schema.ts'
import { HANDLERS, type HandlerFile, type Team } from '../handler-file.ts'
import { dedupeRules, dedupeShape, retentionRules, retentionShape } from './retention.ts'
import {
  type ConfiguredNames,
  destinationNameRules,
  destinationRules,
  handlerPathRules,
  handlerRules,
  stageRules,
  togetherRules,
} from './rules.ts'

import { destinationShape, handlerExports, handlerShape, nameShape } from './shapes.ts'
import { whereRules } from './where.ts'

/** A file in the folder of handlers. */
export interface FoundHandler {
  /** Below the folder, without the ending: `shop/order-paid`. */
  readonly path: string
  /** What it exports under these names. */
  readonly on?: unknown
  readonly where?: unknown
  readonly repeats?: unknown
  /** Why it cannot be used, even under a right name. */
  readonly problem?: { readonly text: string; readonly line: number; readonly column: number } | undefined
}

/** A configuration, or everything that is wrong with it: the field or the file, a colon and the rule. */
type ReadConfig = { readonly config: Team; readonly problems?: undefined } | { readonly problems: readonly string[] }

const named = z.optional(z.record(z.string(), z.unknown(), 'must be an object'))

const whole = object({
  name: z.optional(z.unknown()),
  sources: named,
  destinations: named,
  handlers: named,
  retentionDays: z.optional(z.unknown()),
  dedupeDays: z.optional(z.unknown()),
})

/**
 * Checks a configuration as a whole. Never throws.
 * @param stage on which every value must exist; without a stage that is not checked
 * @param found the team's own code
 * @param resources the logical ids of its `resources.yml`
 */
export function readConfig(
  given: unknown,
  stage?: string,
  found: readonly FoundHandler[] = [],
  resources: readonly string[] = [],
): ReadConfig {
  const outer = z.safeParse(whole, given)
  if (!outer.success) return { problems: outer.error.issues.map((issue) => problemAt([], issue)).sort() }
  const { sources = {}, destinations = {}, handlers = {} } = outer.data
  const names: ConfiguredNames = {
    sources: Object.keys(sources),
    destinations: Object.keys(destinations),
    handlers: found.map(({ path }) => path),
    resources,
  }
  const ours = readSources(sources)
  const read = Object.entries(destinations).map(([name, one]) => readDestination(name, one, names, stage))
  const files = found.map((file) => readFile(file, names))
  const settings = Object.entries(handlers).map(([path, one]) => readHandler(path, one, names, stage))
  const entries = Object.fromEntries(read.flatMap(({ entry }) => (entry ? [entry] : [])))
  const handled = Object.fromEntries(settings.flatMap(({ entry }) => (entry ? [entry] : [])))
  const known = { names: names.sources, sources: ours.sources, destinations: { ...entries, ...handled } }
  const { retentionDays, ...kept } = readRetention(outer.data.retentionDays, known)
  const { data: name, error } = z.safeParse(nameShape, outer.data.name)
  const { dedupeDays, ...deduped } = readDedupe(outer.data.dedupeDays, retentionDays)
  const problems = [
    ...ours.problems,
    ...togetherRules(names).map((issue) => problemAt(['destinations'], issue)),
    ...(error?.issues ?? []).map((issue) => problemAt(['name'], issue)),
    ...[...read, ...files, ...settings, kept, deduped].flatMap((one) => one.problems),
  ]
  if (problems.length > 0) return { problems: problems.sort() }
  return {
    config: {
      ...(name !== undefined && { name }),
      sources: ours.sources,
      destinations: entries,
      handlers: handled,
      handlerFiles: files.flatMap(({ file }) => (file ? [file] : [])),
      ...(retentionDays && { retentionDays }),
      ...(dedupeDays !== undefined && { dedupeDays }),
    },
  }
}

function readRetention(given: unknown, known: Parameters<typeof retentionRules>[1]) {
  const { data: retentionDays, error } = z.safeParse(retentionShape, given)
  const issues = error?.issues ?? retentionRules(retentionDays ?? {}, known)
  return { problems: issues.map((issue) => problemAt(['retentionDays'], issue)), retentionDays }
}

function readDedupe(given: unknown, retentionDays: Readonly<Record<string, number>> = {}) {
  const { data: dedupeDays, error } = z.safeParse(dedupeShape, given)
  const issues = error?.issues ?? dedupeRules(dedupeDays, retentionDays)
  return { problems: issues.map((issue) => problemAt(['dedupeDays'], issue)), dedupeDays }
}

/** As {@link readConfig}. @throws ConfigError naming everything that is wrong */
export function checkedConfig(...given: Parameters<typeof readConfig>): Team {
  const read = readConfig(...given)
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

function readFile({ path, problem, ...exported }: FoundHandler, names: ConfiguredNames) {
  const [source = '', name = ''] = path.split('/')
  const read = z.safeParse(handlerExports, exported)
  const wrong = read.success ? [] : read.error.issues.map((issue) => problemAt([], issue))
  const { where } = exported
  const unmet = read.data && where !== undefined ? whereRules(where, { [source]: read.data.on }) : []
  const rules = [...wrong, ...unmet.map((issue) => problemAt([], issue))]
  const broken = [...(path.includes('/') ? handlerPathRules(path, names) : []), ...(problem ? [] : rules)]
  const file = read.data && ({ source, name, ...read.data, where } as HandlerFile)
  return {
    problems: [
      ...(problem ? [`${HANDLERS}/${path}.ts:${problem.line}:${problem.column}: ${problem.text}`] : []),
      ...broken.map((text) => `${HANDLERS}/${path}.ts: ${text}`),
    ],
    file,
  }
}

function readHandler(path: string, given: unknown, names: ConfiguredNames, stage: string | undefined) {
  const read = z.safeParse(handlerShape, given)
  const settings = read.data as HandlerConfig | undefined
  const issues = [
    ...(names.handlers.includes(path)
      ? []
      : [{ path: [], message: `has no file ${HANDLERS}/${path.slice(0, 64)}.ts` }]),
    ...(settings ? handlerRules(settings, names, stage) : (read.error?.issues ?? [])),
  ]
  return {
    problems: issues.map((issue) => problemAt(['handlers', path], issue)),
    entry: settings && ([path, settings] as const),
  }
}
