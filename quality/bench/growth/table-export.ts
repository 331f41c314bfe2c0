import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { marshall } from '@aws-sdk/util-dynamodb'
import { parse } from 'yaml'

/** Keys and indexes of a table as they are deployed, by the name of its resource. */
export function deployedKeys(resource: string): object {
  const { Resources: resources } = parse(readFileSync('infra/resources/tables.yml', 'utf8'))
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = resources[resource].Properties
  return { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes }
}

/** An item as DynamoDB writes it when it exports a table: one line of JSON, bytes in base64. */
export function exportLine(item: object): string {
  const attributes = marshall(item, { removeUndefinedValues: true })
  const coded = Object.entries(attributes).map(([name, value]) =>
    value.B === undefined ? [name, value] : [name, { B: Buffer.from(value.B).toString('base64') }],
  )
  return `${JSON.stringify({ Item: Object.fromEntries(coded) })}\n`
}
