import { documentClient } from '../adapters/dynamodb/client.ts'

/** The DynamoDB client of the process: all stores share its connections. */
export const documents = documentClient()
