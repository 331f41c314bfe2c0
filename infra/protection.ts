import {
  DescribeTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb'

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
