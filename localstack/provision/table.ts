import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ResourceInUseException,
  type TableDescription,
  type TimeToLiveSpecification,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import type { Properties, ResourceProvider } from './provider.ts'

/** The members of CreateTable and the further ones of AWS::DynamoDB::Table; they have the same names and shapes. */
type TableProperties = CreateTableCommandInput & {
  readonly TableName: string
  readonly TimeToLiveSpecification?: TimeToLiveSpecification
  readonly PointInTimeRecoverySpecification?: unknown
}

/** Creates tables; leaves out backups, encryption and protection, because no emulator has them. */
export function tableProvider(client: DynamoDBClient): ResourceProvider {
  return async (properties: Properties) => {
    const {
      TimeToLiveSpecification: timeToLive,
      PointInTimeRecoverySpecification: _backups,
      SSESpecification: _encryption,
      DeletionProtectionEnabled: _protection,
      ...table
    } = properties as unknown as TableProperties
    const description = await create(client, table)
    if (timeToLive) await expire(client, table.TableName, timeToLive)
    return { Ref: table.TableName, Arn: description?.TableArn ?? '' }
  }
}

async function create(client: DynamoDBClient, table: TableProperties): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new CreateTableCommand(table))).TableDescription
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error
    return (await client.send(new DescribeTableCommand({ TableName: table.TableName }))).Table
  }
}

/** UpdateTimeToLive fails if the setting already has that value. */
async function expire(client: DynamoDBClient, name: string, wanted: TimeToLiveSpecification): Promise<void> {
  const { TimeToLiveDescription: present } = await client.send(new DescribeTimeToLiveCommand({ TableName: name }))
  if (present?.TimeToLiveStatus === 'ENABLED') return
  await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification: wanted }))
}
