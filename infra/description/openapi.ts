import { type Answer, type Reads, TAGS } from '../../lib/endpoints/about.ts'
import { type EndpointName, ROUTES } from '../../lib/endpoints/index.ts'
import type { Route } from '../../lib/endpoints/route.ts'
import manifest from '../../package.json' with { type: 'json' }
import { headerComponents, headersOf } from './headers.ts'
import { NOTES } from './notes.ts'
import { OPERATIONS, type Operation } from './operations.ts'
import { parametersOf } from './parameters.ts'
import { refusalsElsewhere, refusalsOf } from './refusals.ts'
import { type Json, requestSchema, responseSchema, schemasIn } from './schemas.ts'
import { SECURITY_SCHEMES, securityOf } from './security.ts'

const NAMES = Object.keys(ROUTES) as EndpointName[]

const DESCRIPTION = `Every common way into an API, and a webhook receiver.

- **Errors** of the API have one shape, and a schema for each of them: \`timestamp\`, \`status\`, \`error\`, \`message\`, \`details\` where there are any, \`path\`.
- **Elsewhere.** An unknown path is 404, a known one with another method 405 with \`Allow\`. Paths are compared to the letter.
- **Profiles.** An endpoint with \`x-profile\` is there in that profile and in the default one; anywhere else it is 404.
- **Channels.** gRPC, STOMP and a stream of webhook events (\`GET /api/webhooks/stream\`) are at other addresses; docs/channels.md and docs/asyncapi.json describe them.
- **Browsers.** A request that changes something is refused with 403 when another site sends it, and when it comes with a session's cookie and without the session's CSRF token.`

/** The description of the HTTP API, in OpenAPI 3.1.1. */
export function openApiDocument(): Json {
  const refusals = [...NAMES.flatMap(refusalsOf), ...refusalsElsewhere()]
  const responses = sorted(Object.fromEntries(refusals.map(({ name, response }) => [name, response])))
  const paths = pathsOf()
  return {
    openapi: '3.1.1',
    info: {
      title: 'Gatehouse',
      version: manifest.version,
      summary: manifest.description,
      description: DESCRIPTION,
      license: { name: manifest.license, identifier: manifest.license },
    },
    servers: [{ url: '/', description: 'Wherever this description comes from.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: headerComponents(),
      responses,
      schemas: schemasIn({ paths, responses }),
    },
  }
}

function pathsOf(): Json {
  const byPath = Map.groupBy(NAMES, (name) => ROUTES[name].path)
  return Object.fromEntries(
    [...byPath].map(([path, names]) => [
      path,
      Object.fromEntries(names.map((name) => [ROUTES[name].method.toLowerCase(), operationOf(name)])),
    ]),
  )
}

function operationOf(name: EndpointName): Json {
  const route: Route = ROUTES[name]
  const operation: Operation = OPERATIONS[name]
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
      ...Object.fromEntries(
        refusalsOf(name).map(({ status, name: component }) => [
          status,
          { $ref: `#/components/responses/${component}` },
        ]),
      ),
    },
  }
}

function accessOf({ access, credentials }: Route, reads: Reads = {}): string {
  if (access === 'public') return 'For anybody.'
  if (access === 'signature') return reads.signed ? 'For whoever signs.' : 'For a provider that there is a secret of.'
  if (access === 'authenticated') return 'For anybody with valid credentials.'
  const { role, permission } = access
  if (credentials === 'any-or-key') return `For ${role}, or for an API key, as far as its sources go.`
  return `For ${role}${permission ? ` with the permission ${permission.name} on ${permission.on}` : ''}.`
}

const FORM = 'application/x-www-form-urlencoded'

function bodyOf({ reads: { form, fields, json, signed } = {}, payload, isBodyOptional }: Operation): Json | undefined {
  const contents = { [FORM]: form ?? fields, 'application/json': json ?? payload }
  const described = Object.entries(contents).flatMap(([type, schema]) =>
    schema ? [[type, { schema: requestSchema(schema, NOTES) }]] : [],
  )
  const content = described.length === 0 && signed ? [['application/json', { schema: {} }]] : described
  if (content.length === 0) return undefined
  return { required: !isBodyOptional, content: Object.fromEntries(content) }
}

function answerOf({ description, headers, content = {}, example }: Answer): Json {
  const described = Object.entries(content).map(([type, schema]) => [
    type,
    { schema: responseSchema(schema), ...(example !== undefined && { example }) },
  ])
  return {
    description,
    headers: headersOf(headers),
    ...(described.length > 0 && { content: Object.fromEntries(described) }),
  }
}

function sorted<T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
}
