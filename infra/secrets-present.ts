import * as z from 'zod/mini'
import { type AwsClient, type AwsCredentials, awsClient } from '../lib/adapters/aws/client.ts'
import type { Destination } from '../lib/deliver/destination.ts'
import { needsSecrets } from '../lib/deliver/given-secrets.ts'
import type { SecretName } from '../lib/runtime/settings/secret-names.ts'

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
const IS_READ: Readonly<Record<SecretName, (made: Made) => boolean>> = {
  tokens: () => true,
  webhooks: () => true,
  deliveries: ({ destinations }) => destinations.some(needsSecrets),
  oauth2: ({ settings }) => settings.some((name) => /^OAUTH2_\w+_CLIENT_ID$/.test(name)),
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
  return Object.entries(IS_READ)
    .filter(([, isRead]) => isRead({ settings, destinations }))
    .map(([name]) => `${environment['SECRETS_PREFIX']}/${name}`)
}

/** AWS SDKs and Tools Reference Guide, "Service-specific endpoints". */
export function endpointIn(region: string): URL {
  const { AWS_ENDPOINT_URL_SECRETS_MANAGER: own, AWS_ENDPOINT_URL: all } = process.env
  return new URL(own ?? all ?? `https://secretsmanager.${region}.amazonaws.com`)
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
