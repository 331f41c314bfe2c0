import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { codesOf } from '../../../infra/description/codes.ts'
import { openApiDocument } from '../../../infra/description/openapi.ts'
import { ENDPOINTS } from '../../../infra/endpoints.ts'
import { type EndpointName, ROUTES } from '../../../lib/contract/gen/endpoints.ts'

type Part = Readonly<Record<string, unknown>>

const document = openApiDocument() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Part>>>>
  readonly components: Readonly<Record<'schemas' | 'responses', Readonly<Record<string, Part>>>>
}
const names = Object.keys(ROUTES) as EndpointName[]

const operationOf = (name: EndpointName) => document.paths[ROUTES[name].path]?.[ROUTES[name].method.toLowerCase()]

describe('the description of the HTTP API', () => {
  it('has every endpoint under its own name, and no other', () => {
    const described = Object.values(document.paths).flatMap((path) => Object.values(path))
    expect(described).toHaveLength(names.length)
    expect(names.map((name) => operationOf(name)?.['operationId'])).toEqual(names)
  })

  it('allows only fields that it names, except in free-form maps', () => {
    const open = Object.entries(document.components.schemas).flatMap(([name, schema]) => openObjects(schema, name))
    expect(open).toEqual([])
  })

  it.each([
    [
      'adminSecure',
      'AUTHENTICATION_REQUIRED BAD_CREDENTIALS HEADERS_TOO_LARGE ROLE_REQUIRED SCHEME_NOT_ACCEPTED TOKEN_EXPIRED TOKEN_INVALID TOKEN_MISPLACED TOKEN_NOT_ACCEPTED TOO_MANY_REQUESTS UNAVAILABLE UNEXPECTED VALIDATION_FAILED',
    ],
    [
      'jdbcUsers',
      'AUTHENTICATION_REQUIRED BAD_CREDENTIALS ENDPOINT_NOT_FOUND HEADERS_TOO_LARGE SCHEME_NOT_ACCEPTED TOKEN_MISPLACED TOKEN_NOT_ACCEPTED TOO_MANY_REQUESTS UNAVAILABLE UNEXPECTED VALIDATION_FAILED',
    ],
    [
      'logout',
      'CODING_UNSUPPORTED CSRF_TOKEN_MISSING CSRF_TOKEN_WRONG HEADERS_TOO_LARGE ORIGIN_NOT_TRUSTED PAYLOAD_TOO_LARGE TOKEN_EXPIRED TOKEN_INVALID UNAVAILABLE UNEXPECTED VALIDATION_FAILED',
    ],
    [
      'webhookStripe',
      'HEADERS_TOO_LARGE PAYLOAD_TOO_LARGE RATE_LIMIT_EXCEEDED SIGNATURE_REJECTED UNAVAILABLE UNEXPECTED',
    ],
    [
      'webhookPayment',
      'CODING_UNSUPPORTED HEADERS_TOO_LARGE PAYLOAD_TOO_LARGE PROCESSING_FAILED RATE_LIMIT_EXCEEDED SIGNATURE_INVALID TIMESTAMP_OUTSIDE_WINDOW UNAVAILABLE UNEXPECTED VALIDATION_FAILED',
    ],
  ] as const)('%s may be refused as its declaration implies', (name, codes) => {
    expect([...codesOf(name)].sort().join(' ')).toBe(codes)
  })

  it('a refusal names the wait, the required credentials and the allowed methods', () => {
    const headersOf = (name: EndpointName, status: number) => {
      const own = (operationOf(name) as { responses: Record<number, Part> }).responses[status]
      const shared = document.components.responses[String(own?.['$ref']).split('/').at(-1) ?? '']
      return Object.keys((shared ?? own)?.['headers'] as Part)
    }
    expect(headersOf('users', 429)).toContain('Retry-After')
    expect(headersOf('webhookStripe', 503)).toContain('Retry-After')
    expect(headersOf('users', 401)).toContain('WWW-Authenticate')
    expect(headersOf('webhookChallenge', 405)).toContain('Allow')
  })

  it.each([
    ['publicHello', []],
    ['usersCreate', [{ bearer: [] }, { basic: [] }, { session: [], csrfToken: [] }]],
    ['ldapUsers', [{ basic: [] }]],
    ['oauth2Profile', [{ session: [] }]],
    ['logout', [{}, { session: [], csrfToken: [] }]],
    ['webhookOrderStatus', [{ genericSignature: [] }]],
    ['webhookProvider', [{ genericSignature: [] }, {}]],
  ] as const)('%s requires the credentials that open it', (name, security) => {
    expect(operationOf(name)?.['security']).toEqual(security)
  })
})

/** `json(newUser)` in a function, however it is broken into lines. */
const READER = /endpoint\(\s*route,.*?\b(json|form|formOrJson|query)\((\w+)/s

/** How `about` describes what a reader takes. */
const DESCRIBED = {
  json: (schema: string) => `reads: { json: ${schema} }`,
  form: (schema: string) => `reads: { form: ${schema}.schema }`,
  formOrJson: (schema: string) => `reads: { form: ${schema}.schema, json: ${schema}.schema }`,
  query: (schema: string) => `reads: { query: ${schema} }`,
}

const readers = Object.entries(ENDPOINTS).flatMap(([name, { file }]) => {
  const source = readFileSync(file, 'utf8')
  const [, kind, schema = ''] = READER.exec(source) ?? []
  return kind === undefined ? [] : [{ name, kind: kind as keyof typeof DESCRIBED, schema, source }]
})

describe('the schemas of requests', () => {
  it('exist for every endpoint that reads a request', () => {
    const described = names.filter((name) =>
      Object.keys(ENDPOINTS[name].about.reads ?? {}).some((kind) => /^(json|form|query)$/.test(kind)),
    )
    expect(readers.map(({ name }) => name).sort()).toEqual(described.sort())
  })

  it.each(readers)('$name reads the described $kind: $schema', ({ kind, schema, source }) => {
    expect(source).toContain(DESCRIBED[kind](schema))
  })
})

function openObjects(schema: unknown, place: string): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { type, additionalProperties } = schema as Part
  const own = type === 'object' && additionalProperties === undefined ? [place] : []
  return [...own, ...Object.entries(schema).flatMap(([key, part]) => openObjects(part, `${place}.${key}`))]
}
