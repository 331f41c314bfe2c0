import { type Documents, documentClient } from '../adapters/dynamodb/client.ts'

let opened: Documents | undefined

/** The DynamoDB client of the process: all stores share its connections. */
export function documents(): Documents {
  opened ??= documentClient()
  return opened
}
