import { env } from 'node:process'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { SQSClient } from '@aws-sdk/client-sqs'
import type { Properties, ResourceAttributes, ResourceProvider } from './provider.ts'
import { queueProvider } from './queue.ts'
import { tableProvider } from './table.ts'

export interface Resource {
  readonly Type: string
  readonly Properties?: Properties
}

/** The resource types that exist locally; others (roles, alarms) have no meaning here. */
function providersByType(): Readonly<Record<string, ResourceProvider>> {
  return {
    'AWS::DynamoDB::Table': tableProvider(new DynamoDBClient()),
    'AWS::SQS::Queue': queueProvider(
      new SQSClient({ useQueueUrlAsEndpoint: false }),
      env['AWS_ENDPOINT_URL_SQS'] ?? '',
    ),
  }
}

/**
 * Creates the resources of a CloudFormation template at the configured endpoints, each after those that it refers to.
 */
export function localResources(
  resources: Readonly<Record<string, Resource>>,
  providers: Readonly<Record<string, ResourceProvider>> = providersByType(),
) {
  const provided = new Map<string, Promise<ResourceAttributes>>()

  /** The CloudFormation functions that the templates use. */
  const intrinsics: Readonly<Record<string, (argument: unknown) => Promise<unknown>>> = {
    Ref: async (name) => (await attributesOf(String(name))).Ref,
    'Fn::GetAtt': async (argument) => {
      const [name = '', attribute = ''] = Array.isArray(argument) ? argument : String(argument).split('.')
      const attributes: Readonly<Record<string, string>> = await attributesOf(name)
      return attributes[attribute] ?? unknown(`${name}.${attribute}`)
    },
    // A local run has every part that a stage can switch on.
    'Fn::If': async (argument) => resolve((argument as readonly unknown[])[1]),
  }

  function attributesOf(name: string): Promise<ResourceAttributes> {
    const attributes = provided.get(name) ?? provide(name)
    provided.set(name, attributes)
    return attributes
  }

  async function provide(name: string): Promise<ResourceAttributes> {
    const { Type: type = '', Properties: properties = {} } = resources[name] ?? {}
    const provider = providers[type] ?? unknown(name)
    return provider(await resolveEach(properties))
  }

  async function resolve(value: unknown): Promise<unknown> {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return Promise.all(value.map(resolve))
    const [[key = '', argument] = [], ...others] = Object.entries(value)
    const intrinsic = others.length === 0 ? intrinsics[key] : undefined
    return intrinsic ? intrinsic(argument) : resolveEach(value)
  }

  async function resolveEach(values: object): Promise<Properties> {
    const entries = Object.entries(values).map(async ([name, value]) => [name, await resolve(value)] as const)
    return Object.fromEntries(await Promise.all(entries))
  }

  return {
    /** Creates every resource that exists locally and returns their attributes. */
    async provideAll(): Promise<ReadonlyMap<string, ResourceAttributes>> {
      const names = Object.keys(resources).filter((name) => Object.hasOwn(providers, resources[name]?.Type ?? ''))
      return new Map(await Promise.all(names.map(async (name) => [name, await attributesOf(name)] as const)))
    },
    /** Replaces references by their values. */
    resolve,
    resolveEach,
  }
}

function unknown(name: string): never {
  throw new Error(`${name} does not exist locally`)
}
