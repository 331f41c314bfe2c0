import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import { matchPath } from '../../../lib/http/routing.ts'
import { schemasIn } from '../../support/described.ts'

interface Example {
  readonly value?: unknown
}
interface Media {
  readonly schema: object
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, Example>>
}
type Contents = Readonly<Record<string, Media>>
interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required?: boolean
  readonly example?: unknown
  readonly schema: { readonly enum?: readonly unknown[] }
}
interface Described {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Contents }
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Contents }>>
}

const document = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
)
type Operation = (typeof operations)[number]

const byName = operations.map((operation): [string, Operation] => [operation.operationId, operation])

/** All examples of an operation, each with the place of its schema. */
function examplesOf({ path, method, requestBody, responses }: Operation) {
  const operation = ['paths', path, method]
  const answers = Object.entries(responses).map(([status, { $ref, content }]) => {
    const shared = $ref?.slice('#/'.length).split('/')
    const found = shared ? (lookUp(shared) as typeof requestBody)?.content : content
    return { status, pointer: shared ?? [...operation, 'responses', status], content: found }
  })
  const request = { status: 'request', pointer: [...operation, 'requestBody'], content: requestBody?.content }
  return [request, ...answers].flatMap(({ status, pointer, content = {} }) =>
    Object.entries(content).map(([type, media]) => ({
      status,
      type,
      pointer: [...pointer, 'content', type],
      values: [
        ...('example' in media ? [media.example] : []),
        ...Object.values(media.examples ?? {}).map(({ value }) => value),
      ],
    })),
  )
}

function lookUp(pointer: readonly string[]): unknown {
  return pointer.reduce<unknown>((part, key) => (part as Readonly<Record<string, unknown>>)[key], document)
}

const sampleOf = ({ example, schema }: Parameter) => String(example ?? schema.enum?.[0])

/** The path with the example of each of its parameters. */
function filled({ path, parameters = [] }: Operation): string {
  const find = (wanted: string) => parameters.find((one) => one.in === 'path' && one.name === wanted)
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(sampleOf(find(name) as Parameter)))
}

const validator = schemasIn(document, { coerceTypes: false })

type Error = {
  readonly path?: string
  readonly details?: { readonly resource?: string; readonly action?: string; readonly requestMethod?: string }
}

describe('the examples of an operation', () => {
  it.each(byName)('of %s match their schemas', (_, operation) => {
    const faults = examplesOf(operation).flatMap(({ pointer, values, status, type }) =>
      values.map((value) => [status, type, validator(pointer)(value)]),
    )
    expect(faults.filter(([, , fault]) => fault !== undefined)).toEqual([])
  })

  it.each(byName)('of %s name its own path and method, or the path of refusals that are shared', (_, operation) => {
    const errors = examplesOf(operation).flatMap(({ values }) => values.map((value) => Object(value) as Error))
    const method = operation.method.toUpperCase()
    const path = filled(operation)
    const isPath = (given = path) => given === path || given === ROUTES.users.path
    // A path whose value decides which methods it knows names another value.
    const isOwn = (error: Error) =>
      error.details?.requestMethod === undefined
        ? isPath(error.path)
        : matchPath(operation.path, error.path ?? '') !== undefined
    const differing = errors.filter(
      (error) =>
        !isOwn(error) ||
        !isPath(error.details?.resource) ||
        (error.details?.action ?? method) !== method ||
        (error.details?.requestMethod ?? method) !== method,
    )
    expect(differing).toEqual([])
  })

  it.each(byName)('of %s show the resource that its path names', (_, operation) => {
    const named = (operation.parameters ?? []).filter((one) => one.in === 'path')
    const answers = examplesOf(operation).filter(({ status }) => status.startsWith('2'))
    for (const value of answers.flatMap(({ values }) => values).map(Object))
      for (const parameter of named) expect([undefined, sampleOf(parameter)]).toContain(value[parameter.name])
  })

  it.each(byName)('of %s exist for its path, its body and every answer in JSON', (_, operation) => {
    const inPath = (operation.parameters ?? []).filter((one) => one.in === 'path' && sampleOf(one) === 'undefined')
    const bare = examplesOf(operation).filter(
      ({ status, type, values }) => values.length === 0 && (status === 'request' || type === 'application/json'),
    )
    expect([...inPath, ...bare]).toEqual([])
  })

  it('are numerous: a document without them would match as well', () => {
    const errors = operations.flatMap(examplesOf).flatMap(({ values }) => values)
    expect(errors.filter((value) => (Object(value) as Error).path !== undefined).length).toBeGreaterThan(300)
  })
})

describe('the names of the operations', () => {
  it('are valid names in every language of a client, and unique in any case', () => {
    const names = operations.map(({ operationId }) => operationId)
    expect(names.filter((name) => !/^[a-z][a-zA-Z0-9]*$/.test(name))).toEqual([])
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(operations.length)
  })
})
