import { type About, type Answer, type Reads, TAGS } from '../../lib/contract/about.ts'
import type { EndpointName } from '../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../lib/contract/route.ts'
import { FORM } from '../../lib/http/form.ts'
import manifest from '../../package.json' with { type: 'json' }
import { ENDPOINTS } from '../endpoints.ts'
import { asyncApiDocument } from './asyncapi.ts'
import { forGenerators } from './for-generators.ts'
import { commonHeaders, headerComponents, headersOf } from './headers.ts'
import { code, table } from './markdown.ts'
import { NOTES } from './notes.ts'
import { parametersOf } from './parameters.ts'
import { refusalsElsewhere, refusalsOf } from './refusals.ts'
import { type Json, requestSchema, responseSchema, schemasIn } from './schemas.ts'
import { SECURITY_SCHEMES, securityOf } from './security.ts'

const NAMES = Object.keys(ENDPOINTS) as EndpointName[]

const DESCRIPTION = `${manifest.description}.

- **Errors.** All errors of the API have the same fields: \`timestamp\`, \`status\`, \`error\`, \`message\`, \`path\`, and some have \`details\`.
- **Paths.** The service compares paths exactly. An unknown path is 404. Another method of a known path is 405, with \`Allow\`.
- **HEAD.** GET endpoints also answer HEAD: the same status and headers, without a body. The two GET endpoints of a login with an identity provider do not. HEAD of \`/webhooks/{provider}\` is 200 if the service accepts calls of that source, and 404 if not.
- **Profiles.** Some endpoints exist only in one profile (\`x-profile\`) and in the default one. In other profiles they are 404.
- **Browsers.** The service answers 403 to a change that another site sends, and to a change with a session cookie but without the session's CSRF token.
- **Channels.** gRPC, STOMP over WebSocket and the stream of events have other addresses than the API. The AsyncAPI document describes the channels of this table:

${channels()}`

interface Channel {
  readonly address?: string
  readonly description: string
}

/** The channels that are no part of this API. */
function channels(): string {
  const described = asyncApiDocument()['channels'] as Readonly<Record<string, Channel>>
  const rows = Object.values(described).flatMap(({ address, description }) =>
    address === undefined ? [] : [[code(address), description]],
  )
  return table(['channel', 'what it carries'], rows)
}

/** The description of the HTTP API, in OpenAPI 3.1.1. */
export function openApiDocument(): Json {
  const elsewhere = Object.fromEntries(refusalsElsewhere().map(({ name, response }) => [name, response]))
  const { paths, shared } = withSharedRefusals(pathsOf())
  const responses = { ...elsewhere, ...shared }
  return forGenerators({
    openapi: '3.1.1',
    info: {
      title: 'Gatehouse',
      version: manifest.version,
      description: DESCRIPTION,
      license: { name: manifest.license, identifier: manifest.license },
    },
    servers: [{ url: '/', description: 'The server of this description.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    'x-common-headers': commonHeaders(),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: headerComponents(),
      responses,
      schemas: schemasIn({ paths, responses }),
    },
  })
}

/** The refusals that several operations have are components, named after their status. */
function withSharedRefusals(paths: Json): { readonly paths: Json; readonly shared: Json } {
  const counts = new Map<string, number>()
  const refusals = (read: (status: string, text: string) => unknown) =>
    JSON.parse(JSON.stringify(paths), (key, part) => (isRefusal(key, part) ? read(key, JSON.stringify(part)) : part))
  refusals((_, text) => void counts.set(text, (counts.get(text) ?? 0) + 1))
  const names = new Map<string, string>()
  const shared = refusals((status, text) => {
    if (counts.get(text) === 1) return JSON.parse(text)
    const same = [...names.values()].filter((name) => name.startsWith(`Refused${status}`)).length
    const name = names.get(text) ?? `Refused${status}${same === 0 ? '' : `-${same + 1}`}`
    names.set(text, name)
    return { $ref: `#/components/responses/${name}` }
  })
  return { paths: shared, shared: Object.fromEntries([...names].map(([text, name]) => [name, JSON.parse(text)])) }
}

function isRefusal(key: string, part: unknown): boolean {
  return /^[45]\d\d$/.test(key) && typeof part === 'object' && part !== null && 'content' in part
}

function pathsOf(): Json {
  const byPath = Map.groupBy(NAMES, (name) => ENDPOINTS[name].route.path)
  return Object.fromEntries(
    [...byPath].map(([path, names]) => [
      path,
      Object.fromEntries(names.map((name) => [ENDPOINTS[name].route.method.toLowerCase(), operationOf(name)])),
    ]),
  )
}

function operationOf(name: EndpointName): Json {
  const { route, about: operation } = ENDPOINTS[name]
  const parameters = parametersOf(name)
  const body = bodyOf(operation)
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    description: [operation.description, accessOf(route, operation.reads)]
      .filter((text) => text !== undefined)
      .join('\n\n'),
    ...(route.profile !== undefined && { 'x-profile': route.profile }),
    security: securityOf(route, operation.reads),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: {
      ...Object.fromEntries(Object.entries(operation.answers).map(([status, answer]) => [status, answerOf(answer)])),
      ...Object.fromEntries(refusalsOf(name).map(({ status, response }) => [status, response])),
    },
  }
}

function accessOf({ access, credentials }: Route, reads: Reads = {}): string {
  if (access === 'public') return 'No authentication is needed.'
  if (access === 'signature')
    return reads.signed ? 'For callers with a valid signature.' : 'For a provider with a secret.'
  if (access === 'authenticated') return 'For any valid credentials.'
  const { role, permission } = access
  if (credentials === 'any-or-key') return `For ${role}, or for an API key, as far as its sources go.`
  return `For ${role}${permission ? ` with the permission ${permission.name} on ${permission.on}` : ''}.`
}

function bodyOf({ reads: { form, json, signed } = {}, payload, bodyExample, isBodyOptional }: About): Json | undefined {
  // Clients in Python send JSON wherever it is taken, but the fields of the first type.
  const contents = { 'application/json': json ?? payload, [FORM]: form }
  const described = Object.entries(contents).flatMap(([type, schema]) =>
    schema ? [[type, { schema: requestSchema(schema, NOTES), example: bodyExample }]] : [],
  )
  const content =
    described.length === 0 && signed ? [['application/json', { schema: {}, example: bodyExample }]] : described
  if (content.length === 0) return undefined
  return { required: !isBodyOptional, content: Object.fromEntries(content) }
}

function answerOf({ description, headers, content = {}, example, examples = {} }: Answer): Json {
  const byType: Json = examples
  const described = Object.entries(content).map(([type, schema]) => {
    const shown = byType[type] ?? example
    return [type, { schema: responseSchema(schema), ...(shown !== undefined && { example: shown }) }]
  })
  return {
    description,
    ...headersOf(headers),
    ...(described.length > 0 && { content: Object.fromEntries(described) }),
  }
}
