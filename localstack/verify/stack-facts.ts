import {
  CloudFormationClient,
  type CloudFormationClientConfig,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation'
import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import * as z from 'zod/mini'
import { Untried } from './check.ts'
import type { StackFacts } from './deployed-stage.ts'

const template = z.object({
  Metadata: z.object({ Gatehouse: z.object({ parameters: z.object({ data: z.string() }) }) }),
})

type AwsConfig = Pick<CloudFormationClientConfig, 'endpoint' | 'region' | 'credentials'>

/**
 * Asks AWS what protects a stage.
 * @param config otherwise what the environment says
 * @throws Untried without a stage, and with the reason of AWS
 */
export async function stackFacts(stage: string | undefined, config: AwsConfig = {}): Promise<StackFacts> {
  if (stage === undefined) throw new Untried('no --stage')
  const [cloudFormation, dynamoDb] = [new CloudFormationClient(config), new DynamoDBClient(config)]
  const StackName = `gatehouse-${stage}`
  try {
    const { Stacks: [stack] = [] } = await cloudFormation.send(new DescribeStacksCommand({ StackName }))
    const { TemplateBody: body = '{}' } = await cloudFormation.send(new GetTemplateCommand({ StackName }))
    const tables = await tablesOf(cloudFormation, StackName)
    const described = await Promise.all(
      tables.map((TableName) => dynamoDb.send(new DescribeTableCommand({ TableName }))),
    )
    return {
      isKept: template.parse(JSON.parse(body)).Metadata.Gatehouse.parameters.data === 'kept',
      isProtected: stack?.EnableTerminationProtection === true,
      tables,
      unprotectedTables: tables.filter((_, index) => described[index]?.Table?.DeletionProtectionEnabled !== true),
    }
  } catch (error) {
    const { name, message } = error as Error
    throw new Untried(`AWS does not describe ${StackName}: ${name}, ${message.split('\n', 1)[0]}`)
  } finally {
    cloudFormation.destroy()
    dynamoDb.destroy()
  }
}

async function tablesOf(client: CloudFormationClient, StackName: string): Promise<readonly string[]> {
  const tables: string[] = []
  for await (const { StackResourceSummaries: page = [] } of paginateListStackResources({ client }, { StackName })) {
    const names = page.filter(({ ResourceType: type }) => type === 'AWS::DynamoDB::Table')
    tables.push(...names.map(({ PhysicalResourceId: name = '' }) => name))
  }
  return tables
}
