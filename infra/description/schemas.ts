import * as z from 'zod'

/** A part of a document. */
export type Json = Readonly<Record<string, unknown>>

/** What a schema of the wire does not say of itself; a note with a type says all of it. */
export type Notes = ReadonlyMap<z.core.$ZodType, Json>

type Override = (context: { readonly zodSchema: z.core.$ZodType; readonly jsonSchema: Record<string, unknown> }) => void

const COMPONENTS = '#/components/schemas/'

/** The named schemas that a part of a document refers to, at once or through each other, by name. */
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

/** What is answered: a reference to a named schema, any other as it is. */
export function responseSchema(schema: z.ZodType): Json {
  const id = z.globalRegistry.get(schema)?.id
  if (id !== undefined) return { $ref: `${COMPONENTS}${id}` }
  const { $schema, $defs, ...own } = z.toJSONSchema(schema, { override: tidy })
  return JSON.parse(JSON.stringify(own).replaceAll('#/$defs/', COMPONENTS))
}

/** What is read from a caller, before anything is made of it. */
export function requestSchema(schema: z.core.$ZodType, notes: Notes): Json {
  const override: Override = (context) => {
    tidy(context)
    annotate(context.jsonSchema, notes.get(context.zodSchema) ?? {})
  }
  const { $schema, ...own } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override })
  return own as Json
}

/** That a number is no larger than numbers are is not worth saying. */
const tidy: Override = ({ jsonSchema }) => {
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum']
}

function annotate(schema: Record<string, unknown>, note: Json): void {
  if (note['type'] !== undefined) for (const key of Object.keys(schema)) delete schema[key]
  Object.assign(schema, note)
}
