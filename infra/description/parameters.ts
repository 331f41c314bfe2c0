import type { About } from '../../lib/contract/about.ts'
import { SCRIPT_PAGES } from '../../lib/contract/console.ts'
import type { EndpointName } from '../../lib/contract/gen/endpoints.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { NOTES } from './notes.ts'
import { type Json, requestSchema } from './schemas.ts'

/** Parameters in a path, by their names; of an endpoint in which a name means something else, by `endpoint.name`. */
const IN_PATH: Readonly<Record<string, Json>> = {
  id: { description: 'The id of an API key.', example: '0svjv5tv1wq2o' },
  sessionId: { description: 'The id of a session, as its list has it.', example: '0123456789abcdef'.repeat(4) },
  userId: { description: 'The id of a user.', example: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11' },
  registrationId: { description: 'The name of the identity provider.', example: 'google' },
  source: { description: 'The provider of the event.', example: 'payment' },
  eventId: { description: "The provider's own id, percent-encoded; a slash too.", example: 'evt-1' },
  replayId: { description: 'The id that the replay was ordered with.', example: 'shop-outage' },
  provider: { description: 'The name of a provider, in any case.', example: 'shopify' },
  'webhookChallenge.provider': {
    description: 'The name of a source whose provider asks by GET, in any case.',
    example: 'dropbox',
  },
  page: { description: 'The name of the page.', schema: { enum: SCRIPT_PAGES } },
  transactionId: { description: 'The id of the transaction.', example: 'tx-1' },
  orderId: { description: 'The id of the order.', example: 'order-1' },
  destination: { description: 'The name of the destination.', example: 'crm' },
  name: { description: 'The name of the destination.', example: 'crm' },
  'consoleAsset.name': { description: 'The name of the file.', example: 'style-2QX5LJPM.css' },
}

/** The path of an endpoint with a value for each parameter, percent-encoded. */
export function samplePath(name: EndpointName): string {
  const samples = new Map(pathParameters(name).map((one) => [one['name'], String(one['example'] ?? firstOf(one))]))
  return ENDPOINTS[name].route.path.replaceAll(/\{(\w+)\}/g, (_, key) => encodeURIComponent(samples.get(key) ?? ''))
}

function firstOf({ schema }: Json): unknown {
  return (schema as { readonly enum?: readonly unknown[] }).enum?.[0]
}

/** The path and query parameters of an endpoint. */
export function parametersOf(name: EndpointName): readonly Json[] {
  return [...pathParameters(name), ...queryParameters(ENDPOINTS[name].about)]
}

function pathParameters(endpoint: EndpointName): readonly Json[] {
  return [...ENDPOINTS[endpoint].route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const { schema = {}, example, description } = IN_PATH[`${endpoint}.${name}`] ?? IN_PATH[name] ?? {}
    return {
      name,
      in: 'path',
      required: true,
      description,
      schema: { type: 'string', ...(schema as Json) },
      ...(example !== undefined && { example }),
    }
  })
}

function queryParameters({ reads = {}, parameters = {} }: About): readonly Json[] {
  const { properties = {} } = (reads.query ? requestSchema(reads.query, NOTES) : {}) as {
    readonly properties?: Readonly<Record<string, Schema>>
  }
  const plain = Object.entries({ ...parameters, ...reads.challenge }).map(([name, description]): [string, Schema] => [
    name,
    { type: 'string', description },
  ])
  return [...Object.entries(properties), ...plain].map(([name, { description, examples = [], ...schema }]) => ({
    name,
    in: 'query',
    ...(description !== undefined && { description }),
    schema,
    ...(examples.length > 0 && { example: examples[0] }),
  }))
}

type Schema = Json & { readonly examples?: readonly unknown[] }
