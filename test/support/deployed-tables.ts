import { readFileSync } from 'node:fs'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { parse } from 'yaml'
import { tableProvider } from '../../localstack/stack/resources.ts'

/** Makes the tables that are deployed, under names that begin with the prefix, where the environment names DynamoDB. */
export async function makeTables(prefix: string): Promise<void> {
  const provide = tableProvider(new DynamoDBClient())
  const template = readFileSync('infra/resources/tables.yml', 'utf8')
  const { Resources } = parse(template.replaceAll(/\$\{self:custom\.tables\.(\w+)\}/g, `${prefix}-$1`))
  for (const { Properties } of Object.values<{ Properties: object }>(Resources)) await provide({ ...Properties })
}
