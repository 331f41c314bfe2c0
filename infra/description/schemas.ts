import * as z from 'zod'

/** A part of a JSON document. */
export type Json = Readonly<Record<string, unknown>>

/** What a schema of the wire does not express itself; a note with a type replaces the schema. */
export type Notes = ReadonlyMap<z.core.$ZodType, Json>

type Override = (context: { readonly zodSchema: z.core.$ZodType; readonly jsonSchema: Record<string, unknown> }) => void

const COMPONENTS = '#/components/schemas/'

/** The named schemas that a part of a document refers to, directly or indirectly, by name. */
export function schemasIn(part: Json): Readonly<Record<string, Json>> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { uri: (id) => `${COMPONENTS}${id}`, override: tidy })
  const found = new Map<string, Json>()
  const pending = namesIn(part)
  for (const name of pending) {
    const { $schema, $id, ...schema } = schemas[name] ?? {}
    if (!found.has(name)) pending.push(...namesIn(schema))
    found.set(name, schema)
  }
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)))
}

function namesIn(part: Json): string[] {
  return [...JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = '']) => name)
}

/** The schema of an answer: a reference if it is named, otherwise inline. */
export function responseSchema(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id
  if (id !== undefined) return { $ref: `${COMPONENTS}${id}` }
  const { $schema, $defs, ...own } = z.toJSONSchema(schema, { override: tidy })
  return JSON.parse(JSON.stringify(own).replaceAll('#/$defs/', COMPONENTS))
}

/** The schema of a request, before any conversion. */
export function requestSchema(schema: z.core.$ZodType, notes: Notes): Json {
  const override: Override = (context) => {
    tidy(context)
    annotate(context.jsonSchema, notes.get(context.zodSchema) ?? {})
  }
  const { $schema, ...own } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override })
  return own as Json
}

/** Drops a `maximum` that is only the largest safe integer. */
const tidy: Override = ({ jsonSchema }) => {
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum']
}

function annotate(schema: Record<string, unknown>, note: Json): void {
  if (note['type'] !== undefined) for (const key of Object.keys(schema)) delete schema[key]
  Object.assign(schema, note)
}
