import type { Json } from './schemas.ts'

type Schema = Json & { readonly type?: unknown; readonly enum?: readonly unknown[] }
type Named = Readonly<Record<string, Schema>>

/** Formats that imply a pattern: a generated client has an object there, which no pattern matches. */
const PARSED = ['date-time', 'date', 'uuid']

/** Names of checks, which are no formats (https://spec.openapis.org/registry/format). */
const CHECKS = ['starts_with', 'base64', 'hex']

/** The document in words that generators of clients understand; it means the same (docs/guide/generate-a-client.md). */
export function forGenerators(document: Json): Json {
  return mended(document, MENDS)
}

/** A document whose patterns every engine knows. */
export function withPortablePatterns(document: Json): Json {
  return mended(document, [withPortablePattern])
}

type Mend = (part: Schema, named: Named) => Schema

function mended(document: Json, mends: readonly Mend[]): Json {
  const named = (document['components'] as { readonly schemas: Named }).schemas
  return JSON.parse(JSON.stringify(document), (_, part) =>
    typeof part === 'object' && part !== null ? mends.reduce((schema, mend) => mend(schema, named), part) : part,
  )
}

/** `type: [string, "null"]` instead of `anyOf`, which loses null where the other part is a reference. */
function withPlainNull(part: Schema, named: Named): Schema {
  const { anyOf, ...own } = part as Schema & { readonly anyOf?: readonly Schema[] }
  const [first = {}, nothing, ...others] = Array.isArray(anyOf) ? anyOf : []
  if (nothing?.type !== 'null' || others.length > 0) return part
  const { $ref, ...inline } = first
  const schema = $ref === undefined ? inline : named[String($ref).split('/').at(-1) ?? '']
  if (typeof schema?.type !== 'string' || ($ref !== undefined && schema.type === 'object')) return part
  return { ...schema, type: [schema.type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }), ...own }
}

function withoutDoubt(part: Schema): Schema {
  const { format, ...unformatted } = part
  if (typeof format !== 'string') return part
  if (CHECKS.includes(format)) return unformatted
  const { pattern, ...formatted } = part
  return PARSED.includes(format) ? formatted : part
}

/** A whole number is an integer; clients write texts between apostrophes; and converters take `false` for nothing. */
function withPlainConstant(part: Schema): Schema {
  const { const: constant, ...others } = part
  if (Number.isInteger(constant)) return { ...part, type: 'integer' }
  if (constant === false) return { ...others, enum: [false] }
  if (typeof constant === 'string' && constant.includes("'")) return { ...others, examples: [constant] }
  return part
}

/** Only null may stand beside a type in its list, for those that know OpenAPI 3.0. */
function withOneType(part: Schema): Schema {
  const { type: types, ...others } = part
  if (!Array.isArray(types) || types.filter((type) => type !== 'null').length < 2) return part
  return { ...others, anyOf: types.map((type) => ({ type })) }
}

/** Controls, in what every engine knows. */
const CONTROLS = '\\x00-\\x1f\\x7f-\\x9f'

/**
 * A pattern within what JSON Schema 2020-12 section 6.4 advises, for engines that are not JavaScript's: it matches what
 * the given one matches, and maybe more. The exact rule is in words, and the service keeps it.
 */
function withPortablePattern(part: Schema): Schema {
  const { pattern } = part
  if (typeof pattern !== 'string') return part
  const [, minLength, maxLength] = /^\^\[\^[^\]]*\]\{(\d+),(\d+)\}\$$/.exec(pattern) ?? []
  const lengths = maxLength === undefined ? {} : { minLength: Number(minLength), maxLength: Number(maxLength) }
  return { ...part, ...lengths, pattern: portable(pattern) }
}

function portable(pattern: string): string {
  return pattern
    .replaceAll('\\p{Cc}\\p{Cs}', CONTROLS)
    .replaceAll(/(\[\^[^\]]*\])\{1,\d+\}/g, '$1+')
    .replaceAll(/\[[^\]]*\]/g, (set) => set.replaceAll('\\w', 'A-Za-z0-9_').replaceAll('\\d', '0-9'))
    .replaceAll('\\d', '[0-9]')
    .replaceAll('(?:', '(')
    .replaceAll('\\/', '/')
    .replace(/\.\*?$/, '')
}

const MENDS: readonly Mend[] = [withPlainNull, withOneType, withoutDoubt, withPlainConstant, withPortablePattern]
