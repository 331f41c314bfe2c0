import { isGuarded } from '../../lib/auth/access.ts'
import { apiError, WEBHOOK_ERROR } from '../../lib/contract/answers/errors.ts'
import { htmlContent } from '../../lib/contract/answers/shapes.ts'
import { type EndpointName, ROUTES } from '../../lib/contract/gen/endpoints.ts'
import type { ErrorFormat, Route } from '../../lib/contract/route.ts'
import { CATALOG, type ErrorCode } from '../../lib/errors.ts'
import { challengesIn, hasPage } from '../../lib/http/error-body.ts'
import { FORM } from '../../lib/http/form.ts'
import { JSON_TYPE } from '../../lib/http/message.ts'
import { errorFormat } from '../../lib/http/routing.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { codesOf } from './codes.ts'
import { type ErrorSample, type RefusedCall, samplesOf } from './error-samples.ts'
import { type Header, headersOf } from './headers.ts'
import { invalidInputOf } from './invalid-input.ts'
import { samplePath } from './parameters.ts'
import { type Json, responseSchema } from './schemas.ts'

/** `TOKEN_EXPIRED` as `TokenExpired`. */
function nameOf(code: ErrorCode): string {
  return code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

const CODES = Object.keys(CATALOG) as ErrorCode[]

/** The error of each code in the shape of the API (http-17), named after it. */
export const API_ERRORS = Object.fromEntries(
  CODES.map((code) => [code, apiError(code).meta({ id: nameOf(code) })]),
) as Readonly<Record<ErrorCode, ReturnType<typeof apiError>>>

/** A response that refuses a call. */
export interface RefusalResponse {
  readonly status: number
  /** Of the codes that it stands for. */
  readonly name: string
  readonly response: Json
}

/**
 * All refusals of an endpoint, one response per status. Only a sample of wrong input is of that endpoint: the others are the
 * same for many, which share them.
 */
export function refusalsOf(name: EndpointName): readonly RefusalResponse[] {
  const { route } = ENDPOINTS[name]
  const call = callOf(name)
  const any = { ...call, path: ROUTES.users.path }
  const samples = codesOf(name).flatMap((code) =>
    code === 'METHOD_NOT_SUPPORTED'
      ? samplesOf(code, 'api', { ...call, path: route.path.replace('{provider}', 'shopify') })
      : formatsOf(route, code).flatMap((format) => samplesOf(code, format, code === 'VALIDATION_FAILED' ? call : any)),
  )
  const byStatus = Map.groupBy(samples, ({ reply }) => reply.statusCode)
  return [...byStatus].sort(([one], [other]) => one - other).map(([status, same]) => refusalOf(status, same))
}

function callOf(name: EndpointName): RefusedCall {
  const { route, about } = ENDPOINTS[name]
  const { reads = {} } = about
  return {
    route,
    path: samplePath(name),
    invalid: invalidInputOf(name),
    authTypes: [authTypeOf(route)],
    accept: [...(reads.form ? [FORM] : []), ...(reads.json ? [JSON_TYPE['content-type']] : [])].join(', '),
  }
}

/** The refusals of paths without an endpoint. */
export function refusalsElsewhere(): readonly RefusalResponse[] {
  const codes = [...WITHOUT_ENDPOINT, 'HEADERS_TOO_LARGE', 'UNEXPECTED', 'UNAVAILABLE'] as const
  return codes.map((code) => refusalOf(CATALOG[code].status, samplesOf(code, 'api')))
}

/** Codes without an endpoint, whose format could otherwise decide. */
const WITHOUT_ENDPOINT: readonly ErrorCode[] = ['ENDPOINT_NOT_FOUND', 'METHOD_NOT_SUPPORTED']

/** A provider with an endpoint of its own, as `payment`, is answered in the format of that endpoint. */
function formatsOf(route: Route, code: ErrorCode): readonly ErrorFormat[] {
  if (WITHOUT_ENDPOINT.includes(code)) return ['api']
  if (!route.path.includes('{provider}')) return [route.errors ?? 'api']
  const names = route.isChallenge ? ['any'] : ['any', 'payment']
  return [...new Set(names.map((name) => errorFormat(route, route.path.replace('{provider}', name))))]
}

function refusalOf(status: number, samples: readonly ErrorSample[]): RefusalResponse {
  const codes = unique(samples.map(({ code }) => code)).sort()
  const formats = unique(samples.map(({ format }) => format)).filter((format) => format !== 'api')
  const byType = Map.groupBy(samples, ({ reply }) => String(reply.headers['content-type']).replace(/;.*/, ''))
  const isPaged = samples.some(({ code, format }) => format === 'api' && hasPage(code))
  return {
    status,
    name: [codes.map(nameOf).join('Or'), ...formats].join('-'),
    response: {
      description: unique(codes.map((code) => `${CATALOG[code].message}.`)).join(' Or: '),
      ...headersOf([], [...ownHeaders(samples), ...(isPaged ? [PAGE_POLICY] : [])]),
      content: {
        ...Object.fromEntries(
          [...byType].map(([type, same]) => [type, { schema: schemaOf(same), examples: examplesOf(same) }]),
        ),
        ...(isPaged && PAGE),
      },
    },
  }
}

/** What a browser gets instead: a caller who prefers HTML. */
const PAGE = { 'text/html': { schema: responseSchema(htmlContent['text/html']) } }
const PAGE_POLICY: Header = {
  name: 'Content-Security-Policy',
  description: 'The policy of the page that a caller who prefers HTML gets.',
  isOptional: true,
}

function schemaOf(samples: readonly ErrorSample[]): Json {
  const texts = samples.filter(({ format }) => format === 'text')
  if (texts.length > 0) return textOf(texts)
  const schemas = unique(samples.map(({ code, format }) => (format === 'api' ? API_ERRORS[code] : WEBHOOK_ERROR)))
  const [first, ...others] = schemas.map(responseSchema)
  return others.length === 0 ? { ...first } : { anyOf: [first, ...others] }
}

/** The beginnings of texts that say more than is known in advance. */
const OPEN: Readonly<Partial<Record<ErrorCode, string>>> = {
  PROCESSING_FAILED: 'Processing failed: ',
  VALIDATION_FAILED: 'Validation failed: ',
}

function textOf(samples: readonly ErrorSample[]): Json {
  const open = unique(samples.flatMap(({ code }) => OPEN[code] ?? []))
  const texts = samples.map(({ reply: { body = '' } }) => body)
  const known = texts.filter((text) => !open.some((start) => text.startsWith(start)))
  const kinds: Json[] = open.map((start) => ({ pattern: `^${start}` }))
  if (known.length > 0) kinds.unshift({ enum: unique(known) })
  return { type: 'string', ...(kinds.length === 1 ? kinds[0] : { anyOf: kinds }) }
}

function examplesOf(samples: readonly ErrorSample[]): Json {
  return Object.fromEntries(
    samples.map(({ code, variant, format, reply: { body = '' } }) => [
      `${nameOf(code)}${variant}`,
      { value: format === 'text' ? body : JSON.parse(body) },
    ]),
  )
}

type Values = readonly (string | undefined)[]

const HEADERS: readonly (Header & { readonly schemaOf: (values: Values) => Json })[] = [
  {
    name: 'WWW-Authenticate',
    description: 'The accepted schemes (RFC 9110 section 11.6.1).',
    schemaOf: (values) => ({ enum: unique(values.flatMap(challengesOf)) }),
  },
  {
    name: 'Retry-After',
    description: 'The seconds to wait before a retry.',
    schemaOf: () => ({ type: 'integer', minimum: 1 }),
  },
  {
    name: 'Accept',
    description: 'The types that a body may have (RFC 9110 section 15.5.16).',
    schemaOf: (values) => ({ enum: unique(values) }),
  },
  {
    name: 'Accept-Encoding',
    description: 'The coding that a body may have: none (RFC 9110 section 15.5.16).',
    schemaOf: () => ({ const: 'identity' }),
  },
  {
    name: 'Allow',
    description: 'The methods of the path.',
    schemaOf: () => ({ pattern: '^[A-Z]+(, [A-Z]+)*$' }),
  },
]

/** A challenge as a function sends it, as two fields, and as the script of a page gets it. */
function challengesOf(value = ''): readonly string[] {
  const each = challengesIn(value)
  return each.length === 1 ? each : [value, each.join(', '), each[0] ?? '']
}

/** Headers that only some errors have. */
function ownHeaders(samples: readonly ErrorSample[]): readonly Header[] {
  return HEADERS.flatMap(({ schemaOf, ...header }) => {
    const values = samples.map(({ reply }) => reply.headers[header.name.toLowerCase()])
    const present = values.filter((value) => value !== undefined)
    const isOptional = present.length < values.length
    return present.length === 0 ? [] : [{ ...header, isOptional, schema: schemaOf(present) }]
  })
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}

function authTypeOf(route: Route): RefusedCall['authTypes'][number] {
  if (isGuarded(route)) return 'Basic Authentication'
  return route.path === ROUTES.loginPasskey.path ? 'Passkey' : 'Login'
}
