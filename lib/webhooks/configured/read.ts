import * as z from 'zod/mini'
import type { SourceConfig } from '../../config.ts'
import { isPreset, namingRules, rulesOf } from './rules.ts'
import { between, either, headerName, memberPath, object, oneWordOf, problemAt, someText, spanMs } from './schema.ts'

/** The sources, or everything that is wrong with them: the field, a colon and the rule. */
interface ReadSources {
  readonly problems: readonly string[]
  /** Those without a mistake. */
  readonly sources: Readonly<Record<string, SourceConfig>>
}

const MAXIMUM_TOLERANCE = 86_400
const MAXIMUM_RATE = 1_000_000
const MAXIMUM_BODY = 4_194_304
const MAXIMUM_RETRY_HOURS = 24 * 90

const place = either(['header', 'path'], { header: z.optional(headerName), path: z.optional(memberPath) })

const MINUTE = 60_000
const SPAN = 'must be a time from 10m to 7d, such as 2h'

const span = z
  .string(SPAN)
  .check(z.refine((text) => spanMs(text) >= 10 * MINUTE && spanMs(text) <= 7 * 1440 * MINUTE, SPAN))

const limits = {
  toleranceSeconds: z.optional(between(1, MAXIMUM_TOLERANCE)),
  rateLimitPerMinute: z.optional(between(1, MAXIMUM_RATE, 'a whole number')),
  maxBodyBytes: z.optional(between(1, MAXIMUM_BODY, 'a whole number')),
  expectEvery: z.optional(span),
  repeats: z.optional(oneWordOf('drop', 'deliver', 'hold')),
  setup: z.optional(z.literal('token', "must be 'token' or absent")),
}

const preset = object({
  preset: z.string('must be the name of a provider').check(z.refine(isPreset, 'must be the name of a provider')),
  ...limits,
})

const hmacProof = object({
  kind: z.literal('hmac'),
  header: headerName,
  hash: z.optional(oneWordOf('sha1', 'sha256', 'sha384', 'sha512')),
  encoding: z.optional(oneWordOf('hex', 'base64', 'base64url')),
  key: z.optional(oneWordOf('text', 'hex', 'base64', 'whsec')),
  prefix: z.optional(someText),
  separator: z.optional(someText),
  signed: z.optional(someText),
  time: z.optional(
    either(['header', 'path', 'prefix'], {
      header: z.optional(headerName),
      path: z.optional(memberPath),
      prefix: z.optional(someText),
      unit: z.optional(oneWordOf('s', 'ms', 'rfc3339')),
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
  rule: z.optional(oneWordOf('signed-id', 'time+body', 'id+body', 'window', 'always-new')),
  ignore: z.optional(z.array(memberPath, 'must be a list of paths').check(z.maxLength(16, 'has at most 16 paths'))),
  format: z.optional(oneWordOf('json', 'form', 'bytes')),
  retryHours: z.optional(between(0, MAXIMUM_RETRY_HOURS)),
  ...limits,
})

/** Checks the sources of a configuration. Never throws. */
export function readSources(given: Readonly<Record<string, unknown>>): ReadSources {
  const read = Object.entries(given).map(([name, source]) => readSource(name, source))
  return {
    problems: read.flatMap((one) => one.problems),
    sources: Object.fromEntries(read.flatMap(({ entry }) => (entry ? [entry] : []))),
  }
}

function readSource(name: string, given: unknown) {
  const hasPreset = typeof given === 'object' && given !== null && 'preset' in given
  const read = z.safeParse(hasPreset ? preset : own, given)
  // zod's optional fields may hold undefined, which here is the same as absent.
  const source = read.data as SourceConfig | undefined
  const issues = [...namingRules(name, hasPreset), ...(source ? rulesOf(name, source) : (read.error?.issues ?? []))]
  return {
    problems: issues.map((issue) => problemAt(['sources', name], issue)),
    entry: source && ([name, source] as const),
  }
}
