import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type EndpointName, ROUTES } from '../../lib/contract/gen/endpoints.ts'
import { matchRoute, methodsTaken } from '../../lib/http/routing.ts'

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly json?: unknown
}

/** How an answer differs from what is said of it; nothing when it does not. */
type Judge = (method: string, path: string, answer: Answer) => readonly string[]

/** A response, a header, or where the one or the other is. */
interface Described {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, Described>>
  readonly required?: boolean
  readonly content?: Readonly<Record<string, object>>
}

/** Where in the document something stands. */
type Pointer = readonly string[]

/** Headers of the connection and of the content, which no description names (RFC 9110 sections 6.6.1, 7.6.1 and 8). */
const TRANSPORT = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']

/** Where the headers of every answer stand. */
const COMMON = 'x-common-headers'

/** What gateways say of themselves, and to pages of an origin that `TRUSTED_ORIGINS` names. */
const LOCAL = [
  ...['vary', 'apigw-requestid', 'access-control-allow-origin'],
  ...['access-control-allow-credentials', 'access-control-expose-headers'],
]

/** The local gateway gives such a path to another function than its own, the strict one does not; an URL has none. */
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/

/** What is answered where no endpoint is. */
const ELSEWHERE: Readonly<Record<number, string>> = {
  404: 'EndpointNotFound',
  405: 'MethodNotSupported',
  431: 'HeadersTooLarge',
  500: 'Unexpected',
  503: 'Unavailable',
}

/** Judges answers by a description in OpenAPI 3.1. */
export function describedBy(document: object): Judge {
  const bodies = schemasIn(document, { coerceTypes: false })
  const headerValues = schemasIn(document, { coerceTypes: true })

  function lookUp(pointer: Pointer): Described | undefined {
    return pointer.reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>>)?.[key], document) as
      | Described
      | undefined
  }

  /** Where the thing itself stands that a place may only refer to. */
  function follow(pointer: Pointer): Pointer {
    const { $ref } = lookUp(pointer) ?? {}
    return $ref === undefined ? pointer : follow($ref.slice('#/'.length).split('/'))
  }

  function headerFaults(pointer: Pointer, { headers }: Answer): readonly string[] {
    const own = Object.keys(lookUp(pointer)?.headers ?? {})
    const described = [...new Set([...Object.keys(lookUp([COMMON]) ?? {}), ...own])]
    const known = [...TRANSPORT, ...LOCAL, ...described.map((name) => name.toLowerCase())]
    const unknown = Object.keys(headers).filter((name) => !known.includes(name))
    const faults = described.flatMap((name) => {
      const header = follow(own.includes(name) ? [...pointer, 'headers', name] : [COMMON, name])
      const values = [headers[name.toLowerCase()] ?? []].flat()
      const isMissing = values.length === 0 && lookUp(header)?.required === true
      const wrong = values.filter((value) => headerValues(header)(value) !== undefined)
      return [...(isMissing ? [`${name} is missing`] : []), ...wrong.map((value) => `${name} is ${value}`)]
    })
    return [...unknown.map((name) => `${name} is not described`), ...faults]
  }

  function bodyFaults(pointer: Pointer, { headers, text, json }: Answer): readonly string[] {
    const content = lookUp(pointer)?.content
    if (!content) return text === '' ? [] : ['there is a body']
    const type = String(headers['content-type']).replace(/;.*/, '')
    const range = [type, '*/*'].find((one) => content[one])
    if (range === undefined) return [`the media type is ${type}`]
    const value = range === type ? (json ?? text) : text
    return [bodies([...pointer, 'content', range])(value)].filter((fault) => fault !== undefined)
  }

  return (method, path, answer) => {
    const pointer = follow(placeOf(method, path, answer.status))
    if (!lookUp(pointer)) return [`${answer.status} is not described`]
    return [...headerFaults(pointer, answer), ...(method === 'HEAD' ? [] : bodyFaults(pointer, answer))]
  }
}

function placeOf(method: string, path: string, status: number): Pointer {
  const [rawPath = ''] = path.split('?')
  const name = (Object.keys(ROUTES) as EndpointName[]).find(
    (candidate) =>
      matchRoute(ROUTES[candidate], rawPath) !== undefined &&
      methodsTaken(ROUTES[candidate], rawPath, () => true).includes(method),
  )
  const elsewhere = ELSEWHERE[status]
  if (name === undefined || (DOT_SEGMENT.test(rawPath) && elsewhere !== undefined))
    return ['components', 'responses', elsewhere ?? '']
  return ['paths', ROUTES[name].path, ROUTES[name].method.toLowerCase(), 'responses', String(status)]
}

/** A description as a whole is no schema, and what is compiled once or twice is not worth an optimization. */
const AS_IT_IS = { inlineRefs: false, meta: false, validateSchema: false, code: { optimize: false } } as const

/** Compiles the schema below a place once; what is wrong with a value, in words. */
export function schemasIn(document: object, { coerceTypes }: { readonly coerceTypes: boolean }) {
  const ajv = new Ajv2020({ ...AS_IT_IS, strict: false, allErrors: true, coerceTypes, formats: { hex: true } })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: 'api' })
  const compiled = new Map<string, ValidateFunction>()
  return (pointer: Pointer) => {
    const reference = `api#/${[...pointer, 'schema'].map(escaped).join('/')}`
    const validate = compiled.get(reference) ?? ajv.compile({ properties: { value: { $ref: reference } } })
    compiled.set(reference, validate)
    return (value: unknown) => (validate({ value }) ? undefined : ajv.errorsText(validate.errors))
  }
}

/** RFC 6901 sections 3 and 6. */
function escaped(key: string): string {
  return encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
}

/** By the description that is served. */
export const judge: Judge = describedBy(JSON.parse(readFileSync('docs/openapi.json', 'utf8')))
