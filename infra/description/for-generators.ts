import type { Json } from './schemas.ts'

type Schema = Json & { readonly type?: unknown; readonly enum?: readonly unknown[] }
type Named = Readonly<Record<string, Schema>>

/** Formats that imply a pattern: a generated client has an object there, which no pattern matches. */
const PARSED = ['date-time', 'date', 'uuid']

/** Names of checks, which are no formats (https://spec.openapis.org/registry/format). */
const CHECKS = ['starts_with', 'base64', 'hex']

/** The document in words that generators of clients understand; it means the same (docs/guide/generate-a-client.md). */
export function forGenerators(document: Json): Json {
  const named = (document['components'] as { readonly schemas: Named }).schemas
  return JSON.parse(JSON.stringify(document), (_, part) =>
    typeof part === 'object' && part !== null ? MENDS.reduce((schema, mend) => mend(schema, named), part) : part,
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

const MENDS: readonly ((part: Schema, named: Named) => Schema)[] = [
  withPlainNull,
  withOneType,
  withoutDoubt,
  withPlainConstant,
]
