import type { AnswerHeader } from '../../lib/endpoints/about.ts'
import { ALWAYS, OVER_HTTPS } from '../../lib/http/security-headers.ts'
import type { Json } from './schemas.ts'

export interface Header {
  readonly name: string
  readonly description: string
  readonly isOptional?: boolean
  readonly schema?: Json
}

/** Headers that only some answers have. */
const SOME = {
  cookies: { name: 'Set-Cookie', description: 'One header for each cookie.' },
  cookiesIfAny: { name: 'Set-Cookie', description: 'One header for each cookie.', isOptional: true },
  disposition: { name: 'Content-Disposition', description: 'That it is a file to keep, and its name.' },
  encoding: {
    name: 'Content-Encoding',
    description: 'Where the caller takes it (RFC 9110 section 12.5.3).',
    isOptional: true,
    schema: { enum: ['br', 'gzip'] },
  },
  entityTag: { name: 'ETag', description: 'What `If-None-Match` may repeat.' },
  keeping: {
    name: 'Cache-Control',
    description: 'To be kept.',
    schema: { const: 'public, max-age=31536000, immutable' },
  },
  location: { name: 'Location', description: 'Where it is, or where to go.' },
  policy: { name: 'Content-Security-Policy', description: 'What a page may load and do.' },
  revalidation: {
    name: 'Cache-Control',
    description: 'To be kept, and asked for again.',
    schema: { const: 'no-cache' },
  },
  vary: { name: 'Vary', description: 'What else decides on the answer.' },
} as const satisfies Record<AnswerHeader, Header>

const OPTIONAL: Readonly<Record<string, Header>> = {
  transportSecurity: {
    name: 'Strict-Transport-Security',
    description: 'Over https.',
    isOptional: true,
    schema: { const: OVER_HTTPS['strict-transport-security'] },
  },
  gatewayRequestId: { name: 'Apigw-Requestid', description: "API Gateway's id of the request.", isOptional: true },
}

/** Writes `x-frame-options` in its usual case. */
const usual = (name: string) => name.replace(/(^|-)([a-z])/g, (letter) => letter.toUpperCase()).replace('Xss', 'XSS')

/** The security headers, and those that a gateway adds. */
const COMMON: Readonly<Record<string, Header>> = {
  ...Object.fromEntries(
    Object.entries(ALWAYS).map(([name, value]) => [
      name,
      { name: usual(name), description: 'The same on every answer.', schema: { const: value } },
    ]),
  ),
  ...OPTIONAL,
}

/** Every header that more than one answer has, by its key. */
export function headerComponents(): Json {
  const all: Readonly<Record<string, Header>> = { ...COMMON, ...SOME }
  return Object.fromEntries(Object.entries(all).map(([key, header]) => [key, headerObject(header)]))
}

/** The headers of an answer: those of every answer, and its own. */
export function headersOf(keys: readonly AnswerHeader[] = [], own: readonly Header[] = []): Json {
  const some: readonly (readonly [string, Header])[] = keys.map((key) => [key, SOME[key]])
  const references = [...Object.entries(COMMON), ...some].map(([key, { name }]) => [
    name,
    { $ref: `#/components/headers/${key}` },
  ])
  return Object.fromEntries([...references, ...own.map((header) => [header.name, headerObject(header)])])
}

function headerObject({ description, isOptional, schema = {} }: Header): Json {
  return { description, ...(!isOptional && { required: true }), schema: { type: 'string', ...schema } }
}
