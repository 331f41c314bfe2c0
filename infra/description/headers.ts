import type { AnswerHeader } from '../../lib/contract/about.ts'
import { ALWAYS, OVER_HTTPS } from '../../lib/http/middleware/security-headers.ts'
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
  disposition: { name: 'Content-Disposition', description: 'That it is a download, and its name.' },
  encoding: {
    name: 'Content-Encoding',
    description: 'Where the caller takes it (RFC 9110 section 12.5.3).',
    isOptional: true,
    schema: { enum: ['br', 'gzip'] },
  },
  entityTag: { name: 'ETag', description: 'The value for `If-None-Match`.' },
  keeping: {
    name: 'Cache-Control',
    description: 'To be kept.',
    schema: { const: 'public, max-age=31536000, immutable' },
  },
  location: { name: 'Location', description: 'The address of the object, or of the redirect.' },
  policy: { name: 'Content-Security-Policy', description: 'The policy for the content of a page.' },
  revalidation: {
    name: 'Cache-Control',
    description: 'To be kept, and asked for again.',
    schema: { const: 'no-cache' },
  },
  vary: { name: 'Vary', description: 'The request headers that the answer depends on.' },
} as const satisfies Record<AnswerHeader, Header>

/** Writes `x-frame-options` in its usual case. */
const usual = (name: string) => name.replace(/(^|-)([a-z])/g, (letter) => letter.toUpperCase()).replace('Xss', 'XSS')

/** The security headers, and those that a gateway adds. */
const COMMON: readonly Header[] = [
  ...Object.entries(ALWAYS).map(([name, value]) => ({
    name: usual(name),
    description: 'The same on every answer.',
    schema: { const: value },
  })),
  {
    name: 'Strict-Transport-Security',
    description: 'Over https.',
    isOptional: true,
    schema: { const: OVER_HTTPS['strict-transport-security'] },
  },
  { name: 'Apigw-Requestid', description: "API Gateway's id of the request.", isOptional: true },
]

/** The headers of every answer, by name. The description lists them once, and not again with each response. */
export function commonHeaders(): Json {
  return Object.fromEntries(COMMON.map((header) => [header.name, headerObject(header)]))
}

/** Every header that some answers have, by its key. */
export function headerComponents(): Json {
  const some: Readonly<Record<string, Header>> = SOME
  return Object.fromEntries(Object.entries(some).map(([key, header]) => [key, headerObject(header)]))
}

/** The headers that an answer has in addition to those of every answer; an empty object if there are none. */
export function headersOf(
  keys: readonly AnswerHeader[] = [],
  own: readonly Header[] = [],
): { readonly headers?: Json } {
  const some = keys.map((key) => [SOME[key].name, { $ref: `#/components/headers/${key}` }])
  const all = [...some, ...own.map((header) => [header.name, headerObject(header)])]
  return all.length === 0 ? {} : { headers: Object.fromEntries(all) }
}

function headerObject({ description, isOptional, schema = {} }: Header): Json {
  return { description, ...(!isOptional && { required: true }), schema: { type: 'string', ...schema } }
}
