import {
  CloudFormationClient,
  type CloudFormationClientConfig,
  GetTemplateCommand,
} from '@aws-sdk/client-cloudformation'
import {
  DescribeTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb'
import * as z from 'zod/mini'
import { type AwsClient, type AwsCredentials, awsClient } from '../lib/adapters/aws/client.ts'
import type { Destination } from '../lib/deliver/destination.ts'
import { secretOf } from '../lib/deliver/given-secrets.ts'
import { listOf } from '../lib/runtime/config.ts'
import type { SECRETS } from '../lib/runtime/settings/secret-names.ts'
import type { StageValues } from './stages.ts'

/** A template's description of its stage, for the deployment after it. */
const description = z.object({
  parameters: z.record(z.string(), z.unknown()),
  destinations: z.array(z.string()),
})

export type StageDescription = z.infer<typeof description>

const template = z.object({ Metadata: z.optional(z.object({ Gatehouse: z.optional(description) })) })

/** The part of the deployment engine with the name of the stack and its AWS credentials. */
export interface RemovalsEngine {
  getProvider(name: 'aws'): {
    readonly naming: { getStackName(): string }
    getAwsSdkV3Config(): Promise<CloudFormationClientConfig>
  }
}

/** The key in the metadata of the template; it holds no secret, since no parameter is one. */
export function describeStage(parameters: StageValues, destinations: readonly Destination[]): StageDescription {
  const given = Object.entries(parameters).filter(([name, value]) => isGiven(value) && name !== 'allowRemoval')
  return { parameters: Object.fromEntries(given), destinations: destinations.map(({ name }) => name) }
}

/**
 * What the deployed stage has and the next deployment would take from it without permission, as messages for the
 * operator; empty if the deployment may continue.
 * @throws Error of the AWS SDK
 */
export async function refusedRemovals(
  engine: RemovalsEngine,
  next: StageDescription,
  allowRemoval: unknown,
): Promise<readonly string[]> {
  const stack = engine.getProvider('aws').naming.getStackName()
  const before = await deployed(engine, stack)
  const allowed = listOf(String(allowRemoval ?? ''))
  const taken = before ? takenFrom(before, next).filter((name) => !allowed.includes(name)) : []
  if (taken.length === 0) return []
  return [
    `This deployment takes away what ${stack} has:`,
    ...taken.map((name) => `  ${name}`),
    `Set it again, or allow it for this run: --param allowRemoval=${[...allowed, ...taken].join(',')}`,
  ]
}

function takenFrom(before: StageDescription, next: StageDescription): readonly string[] {
  const isKept = ({ parameters }: StageDescription) => parameters['data'] === 'kept'
  return [
    ...Object.keys(before.parameters).filter((name) => !Object.hasOwn(next.parameters, name)),
    ...(isKept(before) && !isKept(next) ? ['data'] : []),
    ...before.destinations.filter((name) => !next.destinations.includes(name)),
  ]
}

function isGiven(value: unknown): boolean {
  const isEmpty = typeof value === 'object' && Object.keys(value ?? {}).length === 0
  return value !== '' && value !== 'false' && value !== undefined && !isEmpty
}

/** The description in the template of a stack; undefined without a stack, or if its version did not write one. */
async function deployed(engine: RemovalsEngine, StackName: string): Promise<StageDescription | undefined> {
  const client = new CloudFormationClient(await engine.getProvider('aws').getAwsSdkV3Config())
  try {
    const { TemplateBody = '{}' } = await client.send(new GetTemplateCommand({ StackName }))
    return z.parse(template, JSON.parse(TemplateBody)).Metadata?.Gatehouse
  } catch (error) {
    if (error instanceof Error && error.name === 'ValidationError' && error.message.includes('does not exist')) {
      return undefined
    }
    throw error
  } finally {
    client.destroy()
  }
}

/** The part of the deployment engine with the settings of all functions, the region and the AWS credentials. */
export interface SecretsPresentEngine {
  readonly service: { readonly provider: { readonly environment: Readonly<Record<string, unknown>> } }
  getProvider(name: 'aws'): {
    getRegion(): string
    getAwsSdkV3Config(): Promise<{ readonly credentials: () => Promise<AwsCredentials> }>
  }
}

/** What the functions of a stage are made for. */
interface Made {
  /** The names of the settings that have a value. */
  readonly settings: readonly string[]
  readonly destinations: readonly Destination[]
}

/** Whether functions will read a secret. */
const IS_READ: Readonly<Record<keyof typeof SECRETS, (made: Made) => boolean>> = {
  tokens: () => true,
  webhooks: () => true,
  deliveries: ({ destinations }) => destinations.some((one) => secretOf(one) === 'deliveries'),
  oauth2: ({ settings }) => settings.some((name) => /^(?:OAUTH2_\w+_CLIENT_ID|OIDC_PROVIDERS)$/.test(name)),
  directory: ({ settings }) => settings.includes('LDAP_URL'),
}

/**
 * The secrets of the stage that are missing in the region of its stack, or are about to be deleted there. Does not read
 * their values.
 * @returns messages for the operator; empty if all secrets are there
 * @throws Error when Secrets Manager answers anything else
 */
export async function missingSecrets(
  engine: SecretsPresentEngine,
  destinations: readonly Destination[],
): Promise<readonly string[]> {
  const names = secretsRead(engine, destinations)
  const provider = engine.getProvider('aws')
  const region = provider.getRegion()
  const { credentials } = await provider.getAwsSdkV3Config()
  const client = awsClient('secretsmanager', '1.1', () => ({ endpoint: endpointIn(region), region, credentials }))
  const present = await Promise.all(names.map((name) => isPresent(client, name)))
  const missing = names.filter((_, index) => !present[index])
  if (missing.length === 0) return []
  return [
    `Secrets Manager in ${region}, the region of the stack, does not have:`,
    ...missing.map((name) => `  ${name}`),
  ]
}

/** The names of the secrets that the functions of the stage will read. */
export function secretsRead(
  { service }: SecretsPresentEngine,
  destinations: readonly Destination[],
): readonly string[] {
  const { environment } = service.provider
  const settings = Object.keys(environment).filter((name) => environment[name] !== '')
  const read = Object.entries(IS_READ).flatMap(([name, isRead]) => (isRead({ settings, destinations }) ? [name] : []))
  const handed = destinations.flatMap((one) => secretOf(one) ?? []).filter((name) => name !== 'deliveries')
  return [...read, ...handed].map((name) => `${environment['SECRETS_PREFIX']}/${name}`)
}

/** AWS SDKs and Tools Reference Guide, "Service-specific endpoints". */
export function endpointIn(region: string, service = 'secrets_manager'): URL {
  const { [`AWS_ENDPOINT_URL_${service.toUpperCase()}`]: own, AWS_ENDPOINT_URL: all } = process.env
  const place = service === 'iam' ? '' : `${region}.`
  return new URL(own ?? all ?? `https://${service.replace('_', '')}.${place}amazonaws.com`)
}

const TIMEOUT_MS = 10_000

const answer = z.object({ DeletedDate: z.optional(z.number()), __type: z.optional(z.string()) })

async function isPresent(client: AwsClient, name: string): Promise<boolean> {
  const given = await client.ask('secretsmanager.DescribeSecret', { SecretId: name }, TIMEOUT_MS)
  const { DeletedDate: deleted, __type: fault = '' } = z.parse(answer, JSON.parse(given.body))
  if (fault.endsWith('ResourceNotFoundException')) return false
  if (given.status !== 200) throw new Error(`Secrets Manager answered ${given.status} ${fault} for ${name}`)
  return deleted === undefined
}

/** The part of the deployment engine with the tables of the stage and its AWS credentials. */
export interface ProtectionEngine {
  readonly service: {
    readonly provider: { readonly deletionProtection: boolean }
    readonly custom: { readonly tables: Readonly<Record<string, string>> }
  }
  getProvider(name: 'aws'): { getAwsSdkV3Config(): Promise<DynamoDBClientConfig> }
}

/**
 * Turns on deletion protection for the tables of a stage whose data is kept; tables of other stages stay as they are.
 * The template cannot do this: CloudFormation could not roll such a table back when its first deployment fails.
 * @throws Error of the AWS SDK
 */
export async function protectTables(engine: ProtectionEngine): Promise<void> {
  const { provider, custom } = engine.service
  if (!provider.deletionProtection) return
  const client = new DynamoDBClient(await engine.getProvider('aws').getAwsSdkV3Config())
  try {
    for (const table of Object.values(custom.tables)) await protect(client, table)
  } finally {
    client.destroy()
  }
}

/** Skips the update of a table that is already protected. */
async function protect(client: DynamoDBClient, TableName: string): Promise<void> {
  const { Table: table } = await client.send(new DescribeTableCommand({ TableName }))
  if (table?.DeletionProtectionEnabled) return
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }))
}
