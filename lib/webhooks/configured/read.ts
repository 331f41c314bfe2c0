import * as z from 'zod/mini'
import type { GatehouseConfig, SourceConfig } from '../../config.ts'
import { isProvider } from '../providers/index.ts'
import { type Issue, namingRules, rulesOf } from './rules.ts'
import { isHeaderName } from './template.ts'

/** A configuration, or everything that is wrong with it: the field, a colon and the rule. */
export type ReadConfig =
  | { readonly config: GatehouseConfig; readonly problems?: undefined }
  | { readonly problems: readonly string[] }

const MAXIMUM_TOLERANCE = 86_400
const MAXIMUM_RATE = 1_000_000
const MAXIMUM_RETRY_HOURS = 24 * 90

const headerName = z
  .string('must be the name of a header')
  .check(z.refine(isHeaderName, 'must be the name of a header'))

const path = z
  .string('must be names of members, joined with dots')
  .check(z.regex(/^[^.]{1,128}(?:\.[^.]{1,128}){0,15}$/, 'must be at most 16 names of members, joined with dots'))

const someText = z.string('must be a text').check(z.minLength(1, 'must not be empty'), z.maxLength(256, 'is too long'))

function object<T extends Parameters<typeof z.strictObject>[0]>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `has unknown fields: ${namesIn(issue.keys)}` : 'must be an object',
  })
}

function namesIn(keys: readonly string[]): string {
  return keys
    .slice(0, 5)
    .map((key) => JSON.stringify(key.slice(0, 64)))
    .join(', ')
}

function oneOf<const T extends readonly string[]>(...words: T) {
  return z.enum(words, `must be one of ${words.join(', ')}`)
}

function between(minimum: number, maximum: number, kind = 'a number') {
  const rule = `must be ${kind} from ${minimum} to ${maximum}`
  const schema = kind === 'a number' ? z.number(rule) : z.int(rule)
  return schema.check(z.gte(minimum, rule), z.lte(maximum, rule))
}

/** Exactly one of these fields, and perhaps others. */
function either(names: readonly string[], shape: Parameters<typeof z.strictObject>[0]) {
  return object(shape).check(
    z.refine(
      (given) => names.filter((name) => given[name] !== undefined).length === 1,
      `must have one of ${names.join(', ')}`,
    ),
  )
}

const place = either(['header', 'path'], { header: z.optional(headerName), path: z.optional(path) })

const limits = {
  toleranceSeconds: z.optional(between(1, MAXIMUM_TOLERANCE)),
  rateLimitPerMinute: z.optional(between(1, MAXIMUM_RATE, 'a whole number')),
  repeats: z.optional(z.literal('drop', "must be 'drop' or absent")),
}

const preset = object({
  preset: z.string('must be the name of a provider').check(z.refine(isProvider, 'must be the name of a provider')),
  ...limits,
})

const hmacProof = object({
  kind: z.literal('hmac'),
  header: headerName,
  hash: z.optional(oneOf('sha1', 'sha256', 'sha384', 'sha512')),
  encoding: z.optional(oneOf('hex', 'base64', 'base64url')),
  key: z.optional(oneOf('text', 'hex', 'base64', 'whsec')),
  prefix: z.optional(someText),
  separator: z.optional(someText),
  signed: z.optional(someText),
  time: z.optional(
    either(['header', 'path', 'prefix'], {
      header: z.optional(headerName),
      path: z.optional(path),
      prefix: z.optional(someText),
      unit: z.optional(oneOf('s', 'ms', 'rfc3339')),
    }),
  ),
})

const PROOFS = {
  hmac: hmacProof,
  basic: object({ kind: z.literal('basic') }),
  bearer: object({ kind: z.literal('bearer') }),
  token: object({ kind: z.literal('token'), header: headerName }),
}

const proof = z.discriminatedUnion('kind', Object.values(PROOFS) as [typeof hmacProof], {
  error: ({ code }) =>
    code === 'invalid_union' ? `must be one of ${Object.keys(PROOFS).join(', ')}` : 'must be an object',
})

const own = object({
  proof,
  event: z.optional(object({ id: z.optional(place), type: z.optional(place) })),
  rule: z.optional(oneOf('signed-id', 'time+body', 'id+body', 'window', 'always-new')),
  ignore: z.optional(z.array(path, 'must be a list of paths').check(z.maxLength(16, 'has at most 16 paths'))),
  format: z.optional(oneOf('json', 'form', 'bytes')),
  retryHours: z.optional(between(0, MAXIMUM_RETRY_HOURS)),
  ...limits,
})

const whatever = object({ sources: z.optional(z.record(z.string(), z.unknown(), 'must be an object')) })

/** Checks a configuration as a whole. Never throws. */
export function readConfig(given: unknown): ReadConfig {
  const outer = z.safeParse(whatever, given)
  if (!outer.success) return { problems: outer.error.issues.map((issue) => problemOf([], issue)).sort() }
  const read = Object.entries(outer.data.sources ?? {}).map(([name, source]) => readSource(name, source))
  const problems = read.flatMap((one) => one.problems)
  if (problems.length > 0) return { problems: problems.sort() }
  return { config: { sources: Object.fromEntries(read.flatMap(({ entry }) => (entry ? [entry] : []))) } }
}

function readSource(name: string, given: unknown) {
  const isPreset = typeof given === 'object' && given !== null && 'preset' in given
  const read = z.safeParse(isPreset ? preset : own, given)
  // zod's optional fields may hold undefined, which here is the same as absent.
  const source = read.data as SourceConfig | undefined
  const issues = [...namingRules(name), ...(source ? rulesOf(name, source) : (read.error?.issues ?? []))]
  return {
    problems: issues.map((issue) => problemOf(['sources', name], issue)),
    entry: source && ([name, source] as const),
  }
}

function problemOf(where: readonly string[], { path, message }: Issue): string {
  const field = [...where, ...path].map((name) => shown(String(name))).join('.')
  return `${field || 'the configuration'}: ${message}`
}

/** A name as it may stand in a message. */
function shown(name: string): string {
  return /^[\w-]{1,64}$/.test(name) ? name : JSON.stringify(name.slice(0, 64))
}
