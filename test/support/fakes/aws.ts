import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb'

/** An error that DynamoDB answers with, for which its client has no class of its own. */
export function serviceFault(name: string, fault: 'client' | 'server'): DynamoDBServiceException {
  return new DynamoDBServiceException({ name, $fault: fault, $metadata: {}, message: 'refused' })
}
