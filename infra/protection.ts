import {
  DescribeTableCommand,
  DynamoDBClient,
  type DynamoDBClientConfig,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb'

/** The part of the deployment engine that knows the tables of the stage, and as whom it calls AWS. */
export interface ProtectionEngine {
  readonly service: {
    readonly provider: { readonly deletionProtection: boolean }
    readonly custom: { readonly tables: Readonly<Record<string, string>> }
  }
  getProvider(name: 'aws'): { getAwsSdkV3Config(): Promise<DynamoDBClientConfig> }
}

/**
 * Protects the tables of a stage whose data is kept from being deleted; those of any other stage stay as they are. Not in
 * the template: CloudFormation could not take such a table back when its first deployment fails.
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

/** A table is not written to for nothing. */
async function protect(client: DynamoDBClient, TableName: string): Promise<void> {
  const { Table: table } = await client.send(new DescribeTableCommand({ TableName }))
  if (table?.DeletionProtectionEnabled) return
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }))
}
