/** What the reference reads of docs/openapi.json. */
export interface ApiDocument {
  readonly info: { readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly 'x-common-headers': Headers
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly headers: Headers
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
  }
}

export interface ApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  /** In Markdown; its last paragraph says which callers are accepted. */
  readonly description: string
  readonly 'x-profile'?: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Contents }
  readonly responses: Readonly<Record<string, ApiResponse>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: Schema
}

export interface ApiResponse {
  readonly description: string
  readonly headers?: Headers
  readonly content?: Contents
}

export type Contents = Readonly<Record<string, Media>>

interface Media {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

type Headers = Readonly<Record<string, Header>>

interface Header {
  readonly $ref?: string
  readonly description?: string
  readonly schema?: Schema
}

export interface SecurityScheme {
  readonly type: string
  readonly scheme?: string
  readonly in?: string
  readonly name?: string
  readonly description: string
}

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
}

/** An operation with its place in the document. */
export interface DocumentedOperation extends ApiOperation {
  /** In capitals. */
  readonly method: string
  readonly path: string
}

export function operationsOf({ paths }: ApiDocument): readonly DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  )
}

/** The value with which an example calls an operation; undefined for a parameter that a call may leave out. */
export function sampleValue({ example, schema }: Parameter): string | undefined {
  const value = example ?? schema.enum?.[0]
  return value === undefined ? undefined : String(value)
}

/** The path of an operation with the example of each parameter, percent-encoded. */
export function exampleTarget({ path, parameters = [] }: DocumentedOperation): string {
  const values = new Map(parameters.map((one) => [one.name, sampleValue(one) ?? '']))
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name) ?? ''))
}

/** The body of an example call, in its first media type; undefined for an operation that reads none. */
export function sampleBody({
  requestBody,
}: DocumentedOperation): { readonly type: string; readonly text: string } | undefined {
  const [first] = Object.entries(requestBody?.content ?? {}).sort(([one], [other]) => (one < other ? -1 : 1))
  if (first === undefined) return undefined
  const [type, { example }] = first
  const isJson = type === 'application/json'
  return { type, text: isJson ? written(example) : new URLSearchParams(Object.entries(Object(example))).toString() }
}

/** An example as it is sent. */
export function written(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example, null, 2)
}
